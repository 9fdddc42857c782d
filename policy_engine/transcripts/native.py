"""Read what hosts sent to their hooks, one payload per line: the host is guessed.

The folder where a host records its sessions (`transcript_path`) tells which it is; else the one that knows the event
and the tool. Claude Code is tried first: most of the others took its form over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from policy_engine.adapters.base import Adapter
from policy_engine.model import family
from policy_engine.model.errors import EventError
from policy_engine.transcripts.base import Line, Recorded, Transcript, damaged

FIRST = "claude-code"
CANONICAL = "generic"
_RECORDS = "transcript_path"


def _hosts() -> list[Adapter]:
    known = [each for each in family.members("policy_engine.adapters", Adapter) if each.name != CANONICAL]
    return sorted(known, key=lambda each: (each.name != FIRST, each.name))


def guess_host(payload: dict[str, Any]) -> Adapter | None:
    """Return the host whose payload this most likely is; None if no host has such an event."""
    fitting = [each for each in _hosts() if each.native(payload, None) in each.capabilities]
    place = payload.get(_RECORDS)
    if isinstance(place, str):
        homes = [each for each in fitting if f"/{each.registration.home_folder}/" in place]
        fitting = homes or fitting
    return min(fitting, key=lambda each: _strangeness(each, payload), default=None)


def _strangeness(host: Adapter, payload: dict[str, Any]) -> int:
    """Rank how badly a payload fits a host: 0 its tool is known, 1 it is not, 2 the payload cannot be read."""
    try:
        event = host.decode(payload, None, {})
    except EventError:
        return 2
    return int(event is not None and event.get("tool", {}).get("kind") == "other")


def _knows(value: dict[str, Any]) -> bool:
    return "hook" not in value and "verdict" not in value and guess_host(value) is not None


def _events(lines: Iterable[Line], _path: str) -> Iterator[Recorded]:
    for number, value in lines:
        if isinstance(value, EventError):
            yield damaged(number, value)
            continue
        host = guess_host(value)
        if host is None:
            yield Recorded(number, EventError("E-POINT", f"line {number}: no host has this event"))
            continue
        try:
            event = host.decode(value, None, {})
        except EventError as error:
            yield Recorded(number, error)
            continue
        if event is not None:
            yield Recorded(number, event)


TRANSCRIPT = Transcript("payloads of a coding agent", _knows, _events)

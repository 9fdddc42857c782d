"""The decision log: each record has the event that was decided, and the decision, so that both can be compared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from policy_engine.model.errors import EventError
from policy_engine.transcripts.base import Line, Recorded, Transcript


def _knows(value: dict[str, Any]) -> bool:
    return "verdict" in value and "host" in value


def _events(lines: Iterable[Line]) -> Iterator[Recorded]:
    for number, value in lines:
        if isinstance(value, EventError):
            yield Recorded(number, value)
        elif isinstance(value.get("input"), dict):
            decided = "stop_reason" in value  # what could not be decided has no decision to compare
            seen = value.get("seen")
            said = seen if isinstance(seen, str) else ""
            yield Recorded(number, value["input"], value if decided else None, "altered" not in value, said)
        elif "code" in value:
            yield Recorded(number, None)


TRANSCRIPT = Transcript("decision log", _knows, _events)

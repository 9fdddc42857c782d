"""The decision log: each record has the event that was decided, and the decision, so that both can be compared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from policy_engine.model.errors import EventError
from policy_engine.model.ladder import RANK
from policy_engine.transcripts.base import Line, Recorded, Transcript, damaged


def _knows(value: dict[str, Any]) -> bool:
    return "verdict" in value and "host" in value


def _events(lines: Iterable[Line], _path: str) -> Iterator[Recorded]:
    for number, value in lines:
        if isinstance(value, EventError):
            yield damaged(number, value)
        elif isinstance(value.get("input"), dict):
            decided = "stop_reason" in value  # what could not be decided has no decision to compare
            seen = value.get("seen")
            text = seen if isinstance(seen, str) else ""
            then = value if decided else None
            yield Recorded(number, value["input"], then, "altered" not in value, text, _held(value.get("held")))
        elif "code" in value:
            yield Recorded(number, None)


def _held(value: Any) -> tuple[tuple[str, str, str, str], ...]:
    """Return what the engine said of the run; nothing of what is no such word."""
    given = [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
    words = [tuple(one.get(name) for name in ("outcome", "verdict", "message", "reason")) for one in given]
    return tuple(word for word in words if all(isinstance(part, str) for part in word) and word[1] in RANK)  # type: ignore[misc]


TRANSCRIPT = Transcript("decision log", _knows, _events)

"""Canonical events, one JSON object per line, as `policy eval` takes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from policy_engine.model.errors import EventError
from policy_engine.transcripts.base import Line, Recorded, Transcript, damaged


def _knows(value: dict[str, Any]) -> bool:
    return "hook" in value and "verdict" not in value


def _events(lines: Iterable[Line], _path: str) -> Iterator[Recorded]:
    for number, value in lines:
        yield damaged(number, value) if isinstance(value, EventError) else Recorded(number, value)


TRANSCRIPT = Transcript("canonical events", _knows, _events)

"""The short way of reading events agrees with `Event.from_dict`, and takes nothing that is refused there."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest

from policy_engine.model.errors import EventError
from policy_engine.model.event import Event
from policy_engine.runtime.reading import read_event

_PLAIN: list[dict[str, Any]] = [
    {
        "hook": "before_tool", "session": "s", "id": "e", "time": "2026-11-20T10:00:00Z", "cwd": "/w",
        "workspace": "/w",
        "agent": {"kind": "main", "name": "main"}, "host": {"name": "generic", "interactive": True},
        "tool": {"name": "Bash", "kind": "shell", "args": {"command": "ls"}},
    },
    {
        "hook": "after_tool", "session": "s", "id": "e", "time": "2026-11-20T10:00:01Z", "cwd": "/w", "workspace": "/w",
        "agent": {"kind": "main", "name": "main"}, "host": {"name": "generic", "interactive": True},
        "tool": {"name": "Write", "kind": "write", "args": {"file_path": "/w/a"}}, "result": {"ok": True, "text": "é"},
    },
    {
        "hook": "prompt", "session": "s", "id": "e", "time": "2026-11-20T10:00:02Z", "cwd": "/w", "workspace": "/w",
        "agent": {"kind": "main", "name": "main"}, "host": {"name": "generic", "interactive": False}, "prompt": "hello",
    },
]  # fmt: skip
_ODD: list[Any] = [
    None, "", 0, 1, True, False, 1.5, float("nan"), "x", "\ud800", "é", "/é", "/a\0b", "a/b", "C:\\x", [], {},
    {"kind": "main"}, {"a": {"b": 1}}, "2026-11-20T10:00:61Z", "2026-13-20T10:00:01Z", "2026-11-20T10:00:00.5Z",
    "２026-11-20T10:00:00Z", "blocked", "x" * 5000, "/" + "x" * 5000,
    {"interactive": 1, "name": "generic"}, b"x", "prompt",
]  # fmt: skip
_KEYS: list[Any] = "prompt answer result diff git goal tool x id os facts todos \ud800".split(" ")


def _places(record: dict[Any, Any], path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found: list[tuple[Any, ...]] = []
    for key, value in record.items():
        found.append((*path, key))
        if isinstance(value, dict):
            found += _places(value, (*path, key))
    return found


def _mutated(choose: random.Random) -> dict[str, Any]:
    event = copy.deepcopy(choose.choice(_PLAIN))
    for _ in range(choose.choice((0, 1, 1, 2))):
        *path, last = choose.choice(_places(event))
        record: Any = event
        for key in path:
            record = record[key]
        act = choose.random()
        if act < 0.25:
            record.pop(last)
        else:
            record[last if act < 0.85 else choose.choice(_KEYS)] = copy.deepcopy(choose.choice(_ODD))
    return event


def _read(reader: Any, event: dict[str, Any]) -> Any:
    try:
        read = reader(event)
    except EventError as refused:
        return refused.code
    return [(name, type(value := getattr(read, name)), repr(value)) for name in Event.__slots__]


@pytest.mark.parametrize("seed", range(10))
def test_the_short_way_and_the_long_way_read_the_same(seed: int) -> None:
    choose = random.Random(seed)
    for _ in range(500):
        event = _mutated(choose)
        assert _read(read_event, event) == _read(Event.from_dict, event)

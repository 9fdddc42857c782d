"""Bytes as a canonical event → the same event, or refusal, by the quick reader of engines as by the hook's own."""

from __future__ import annotations

from typing import Any

from policy_engine.model.errors import EventError
from policy_engine.model.event import Event
from policy_engine.model.strict_json import read_json
from policy_engine.runtime.reading import read_event

SEEDS = (
    b'{"hook":"before_tool","session":"s","id":"e","time":"2026-11-20T10:00:00Z","cwd":"/w","workspace":"/w",'
    b'"agent":{"kind":"main","name":"main"},"host":{"name":"generic","interactive":true},'
    b'"tool":{"name":"Bash","kind":"shell","args":{"command":"ls"},"id":"t"}}',
    b'{"hook":"after_tool","session":"s","tool":{"name":"Write","kind":"write","args":{"file_path":"a"}},'
    b'"result":{"ok":true,"exit_code":0,"text":"x","timed_out":false,"status":"completed"},"facts":{"a":1}}',
    b'{"hook":"prompt","session":"s","prompt":"x","todos":[{"id":"a","title":"b","status":"cancelled"}],"goal":{}}',
    b'{"hook":"before_completion","session":"s","answer":"x","git":{"branch":"m","clean":true,"ahead":1},"plan":{}}',
)


def target(data: bytes) -> None:
    try:
        raw = read_json(data)
    except EventError:
        return
    assert _read(read_event, raw) == _read(Event.from_dict, raw)


def _read(reader: Any, raw: Any) -> Any:
    try:
        event = reader(raw)
    except EventError as error:
        return error.code, str(error)
    return {name: repr(getattr(event, name, "?")) for name in Event.__slots__ if name[:1] != "_"}

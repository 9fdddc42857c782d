"""Check the records inside an event: results, changes, todos. Imported by the hook path."""

from __future__ import annotations

from policy_engine.model.errors import EventError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

RESULT_STATES = frozenset(("started", "running", "completed", "failed", "blocked", "timed_out", "unknown"))
CHANGE_KINDS = frozenset(("write", "delete", "read"))
TODO_STATES = frozenset(("pending", "in_progress", "blocked", "completed", "failed", "canceled"))


def short(value: object) -> str:
    return str(value)[:80]


def text_of(raw: dict[str, Any], key: str, where: str = "") -> str | None:
    value = raw.get(key)
    if type(value) is str:
        return value
    if value is None and key not in raw:
        return None
    raise EventError("E-TYPE", f"`{where}{key}` is not a string")


def record_of(raw: dict[str, Any], key: str) -> dict[str, Any] | None:
    value = raw.get(key)
    if type(value) is dict:
        return value
    if value is None and key not in raw:
        return None
    raise EventError("E-TYPE", f"`{key}` is not an object")


def flag_of(record: dict[str, Any], key: str, where: str) -> bool | None:
    value = record.get(key)
    if value is True or value is False:
        return value
    if value is None and key not in record:
        return None
    raise EventError("E-TYPE", f"`{where}.{key}` is not true or false")


def result_of(raw: dict[str, Any]) -> dict[str, Any] | None:
    result = record_of(raw, "result")
    if result is None:
        return None
    flag_of(result, "ok", "result")
    flag_of(result, "timed_out", "result")
    text_of(result, "text", "result.")
    exit_code = result.get("exit_code")
    if exit_code is not None and type(exit_code) is not int:
        raise EventError("E-TYPE", "`result.exit_code` is not an integer")
    status = text_of(result, "status", "result.")
    if status is not None and status not in RESULT_STATES:
        raise EventError("E-ENUM", f"unknown `result.status` `{short(status)}`")
    return result


def _list_of(raw: dict[str, Any], key: str) -> list[Any] | None:
    value = raw.get(key)
    if type(value) is list or key not in raw:
        return value
    raise EventError("E-TYPE", f"`{key}` is not a list")


def changes_of(raw: dict[str, Any]) -> list[dict[str, str]] | None:
    changes = _list_of(raw, "changes")
    for change in changes or ():
        if type(change) is not dict or type(change.get("path")) is not str or change.get("kind") not in CHANGE_KINDS:
            raise EventError("E-TYPE", "an entry of `changes` is not {path, kind: write|delete|read}")
        if "\0" in change["path"]:
            raise EventError("E-NUL", "`changes.path` contains NUL")
    return changes


def todos_of(raw: dict[str, Any]) -> list[dict[str, Any]] | None:
    todos = _list_of(raw, "todos")
    for todo in todos or ():
        if type(todo) is not dict:
            raise EventError("E-TYPE", "an entry of `todos` is not an object")
        if not text_of(todo, "id", "todos."):
            raise EventError("E-FIELD", "`todos.id` is missing")
        text_of(todo, "title", "todos.")
        flag_of(todo, "required", "todos")
        status = text_of(todo, "status", "todos.")
        if status is not None and status != "cancelled" and status not in TODO_STATES:
            raise EventError("E-ENUM", f"unknown `todos.status` `{short(status)}`")
    return todos

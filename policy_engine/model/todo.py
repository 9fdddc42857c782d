"""`Todo`, one entry of a host's todo list as rules see it. Imported by the hook path."""

from __future__ import annotations

from policy_engine.model.errors import EventError
from policy_engine.model.instant import parse_time
from policy_engine.model.undecided import ABSENT, Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


_MORE = ("blocked_reason", "created", "dependencies", "revision", "supersedes")


class Todo:
    """One todo as rules see it; `required` and `owned` default to true, `retries` to 0, `revision` to 1.

    Raises Undecided if the host sent something of another type, which the event's reader lets pass here.
    """

    __slots__ = ("circular", "id", "owned", "required", "retries", "status", "title", *_MORE)

    def __init__(self, raw: dict[str, Any]) -> None:
        status = raw.get("status", "pending")
        self.id = raw["id"]
        self.title = raw.get("title", self.id)
        self.status = "canceled" if status == "cancelled" else status
        self.required = raw.get("required", True)
        self.owned = _typed(raw, "owned", bool, True)
        self.retries = _typed(raw, "retries", int, 0)
        self.revision = _typed(raw, "revision", int, 1)
        self.dependencies = _names(raw, "dependencies")
        self.supersedes = _names(raw, "supersedes")
        self.circular = False
        reason = _typed(raw, "blocked_reason", str, "")
        self.blocked_reason = reason if status == "blocked" else ""
        self.created = told_time(raw.get("created", ABSENT), "todos.created")

    def __str__(self) -> str:
        return str(self.title)


def listed(raws: Sequence[dict[str, Any]]) -> tuple[Todo, ...]:
    """Return the todos of one list, each of which knows whether it waits for itself. Raises Undecided."""
    todos = tuple(Todo(raw) for raw in raws)
    before = {todo.id: todo.dependencies for todo in todos}
    for todo in todos:
        met, waiting = set(), list(todo.dependencies)
        while waiting and not todo.circular:
            name = waiting.pop()
            todo.circular = name == todo.id
            if name not in met:
                met.add(name)
                waiting.extend(before.get(name, ()))
    return todos


def _typed(raw: dict[str, Any], key: str, kind: type, without: Any) -> Any:
    value = raw.get(key, without)
    if type(value) is not kind:
        raise Undecided(f"`todos.{key}` has the wrong type")
    return value


def _names(raw: dict[str, Any], key: str) -> tuple[str, ...]:
    names = _typed(raw, key, list, [])
    if any(type(name) is not str for name in names):
        raise Undecided(f"`todos.{key}` has the wrong type")
    return tuple(names)


def told_time(value: Any, name: str) -> Any:
    """A time that the host told beside that of the event, in ms since the epoch, or ABSENT. Raises Undecided."""
    if value is ABSENT:
        return ABSENT
    if type(value) is not str:
        raise Undecided(f"`{name}` has the wrong type")
    try:
        return parse_time(value)
    except EventError:
        raise Undecided(f"`{name}` is not an RFC 3339 time") from None

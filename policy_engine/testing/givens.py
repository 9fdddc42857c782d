"""Apply `given` and `undecided` steps to the next events, and the fields that they replace.

What a canonical event has a place for is put there, so that histories and verdicts see it too; the rest is replaced by
field. Both hold from their step on, until a `given` of the same field.
"""

from __future__ import annotations

from typing import Any

from policy_engine.filesystem.file_system import FileSystem
from policy_engine.model.field_names import slot
from policy_engine.model.todo import Todo
from policy_engine.model.undecided import Undecided
from policy_engine.shell.parse import parse

_IN_EVENT = frozenset(
    "agent.kind agent.name host.name host.interactive host.mode plan.open_steps plan.status usage.tokens usage.cents"
    " diff.files diff.lines git.branch git.clean git.ahead goal.text goal.commands tool.name tool.kind tool.server"
    " result.ok result.exit_code result.text result.timed_out result.error_class"
    " prompt answer cwd workspace todos".split()
)
_ONLY_THERE = frozenset(("tool", "result", "prompt", "answer"))  # not added to an event that has none
_EVIDENCE = frozenset(("result.ok", "result.exit_code", "result.timed_out"))
_COUNTERS = ("mode.", "limit.", "verified.", "verification.", "hook.")


class Givens:
    """The declared values of a test.

    `counters` are modes, the counts of limits, what stages of a `verify` will do, what is said of those that do not
    pass, and what hooks answer, by their dotted names.
    """

    __slots__ = ("counters", "said", "slots", "unsaid")

    def __init__(self) -> None:
        self.said: dict[str, Any] = {}
        self.unsaid: set[str] = set()
        self.slots: dict[str, Any] = {}
        self.counters: dict[str, Any] = {}

    def give(self, field: str, value: Any, filesystem: FileSystem) -> None:
        """`given FIELD = VALUE`. Raises Undecided if a path or a command line among the values is not understood."""
        self.reset(field)
        if field.startswith(_COUNTERS):
            self.counters[field] = value
        elif field == "todos":
            self.said[field] = [{"id": title} for title in value]
        elif field in _IN_EVENT:
            self.said[field] = value
        else:
            self.slots[slot(field)] = _at_run_time(field, value, filesystem)

    def forget(self, field: str) -> None:
        """`undecided FIELD`: the host does not send it, and whoever reads it learns that it cannot be known."""
        self.reset(field)
        fault = Undecided(f"`{field}` is undecided in this test")
        if field.startswith(_COUNTERS):
            self.counters[field] = fault
        else:
            self.slots[slot(field)] = fault
            self.unsaid.add(field)

    def reset(self, field: str) -> None:
        """Nothing is declared about the field any more."""
        self.said.pop(field, None)
        self.unsaid.discard(field)
        self.slots.pop(slot(field), None)
        self.counters.pop(field, None)

    def applied(self, event: dict[str, Any]) -> dict[str, Any]:
        """The event with everything that is given in its place; `event` itself stays as it is."""
        event = {key: dict(value) if isinstance(value, dict) else value for key, value in event.items()}
        for field, value in self.said.items():
            record, _, key = field.partition(".")
            if record in _ONLY_THERE and record not in event:
                continue
            if key:
                event.setdefault(record, {})[key] = value
            else:
                event[record] = value
        for field in self.unsaid:
            _unsay(event, field)
        if "result" in event:
            self._agree(event["result"])
        return event

    def _agree(self, result: dict[str, Any]) -> None:
        """A result whose evidence was changed says nothing else about how the call ended."""
        if self.unsaid & {"result.ok", "result.exit_code"}:
            for key in ("ok", "exit_code", "status"):
                result.pop(key, None)
        elif _EVIDENCE & self.said.keys():
            result.pop("status", None)
            if "result.exit_code" in self.said and "result.ok" not in self.said:
                result.pop("ok", None)


def _unsay(event: dict[str, Any], field: str) -> None:
    record, _, key = field.partition(".")
    if field in ("cwd", "workspace"):
        return  # the virtual disk needs them; the field itself is undecided for whoever reads it
    if key and isinstance(event.get(record), dict) and field not in ("tool.name", "tool.kind", "tool.args"):
        event[record].pop(key, None)
    elif field in ("prompt", "answer", "todos"):
        event.pop(field, None)


def _at_run_time(field: str, value: Any, filesystem: FileSystem) -> Any:
    """Plain values as rules see them: paths are resolved, lines are parsed, lists do not change."""
    if field == "paths":
        return tuple(filesystem.resolve(text, filesystem.workspace).with_access("write") for text in value)
    if field == "commands":
        return tuple(command for line in value for command in parse(line, filesystem.workspace, filesystem))
    if field == "home":
        return filesystem.resolve(value, filesystem.workspace)
    if field == "open_todos":
        return tuple(Todo({"id": title}) for title in value)
    return tuple(value) if isinstance(value, list) else value

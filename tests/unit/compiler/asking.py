"""A condition and an event → its truth through the whole engine: True, False, or None (undecided)."""

from __future__ import annotations

from typing import Any

from policy_engine.bootstrap import Engine
from policy_engine.filesystem.file_system import Virtual

WRITE = {"name": "Write", "kind": "write", "args": {"file_path": "src/a.py", "content": "x"}}


def engine(text: str, filesystem: Virtual | None = None) -> Engine:
    """An engine over the items of a policy, in a virtual workspace, at time 0."""
    here = filesystem or Virtual()
    return Engine.from_text(
        f"language 1\n{text}", home="/home/user", filesystem=lambda workspace: here, clock=lambda: 0
    )


def event(hook: str = "before_tool", **more: Any) -> dict[str, Any]:
    """An event; at the points of tools a write, unless `tool` says something else."""
    found = {"hook": hook, "session": "s", "id": "e", "workspace": "/workspace", "cwd": "/workspace", **more}
    if hook in ("before_tool", "after_tool", "before_permission"):
        found.setdefault("tool", WRITE)
    return found


def shell(line: str, **more: Any) -> dict[str, Any]:
    """A proposed shell line."""
    return event(tool={"name": "Bash", "kind": "shell", "args": {"command": line}}, **more)


def called(**args: Any) -> dict[str, Any]:
    """A proposed call of a tool of no known kind."""
    return event(tool={"name": "Odd", "kind": "other", "args": args})


def truth(condition: str, at: dict[str, Any], filesystem: Virtual | None = None, on: str = "") -> bool | None:
    """What the condition comes to at the event; `on` names more points than the event's own."""
    filters = f"({at['tool']['kind']})" if "tool" in at else ""
    rule = f"rule r {{ on {at['hook']}{filters} {on} when {condition} warn fail closed }}"
    decision = engine(rule, filesystem).decide(at)
    assert decision.errors == ()
    outcomes = [result.outcome for result in decision.rules]
    return {"violated": True, "undecided": None}[outcomes[0]] if outcomes else False

"""Rules and moments made by hand, without a policy: for what the running half promises of any."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from policy_engine.evaluators.base import RuleSpec
from policy_engine.evaluators.context import EvaluationContext
from policy_engine.evaluators.trace import Seen
from policy_engine.filesystem.file_system import Virtual
from policy_engine.model.event import Event

FIELDS: dict[str, Any] = {
    "id": "r", "kind": "rule", "verdict": "deny", "reason": "", "at": "p.policy:1:1", "fail": "closed",
    "shadow": False, "title": "Title", "severity": "high", "satisfy": (), "effect": None, "waivers": (), "extra": (),
}  # fmt: skip


def rule(parts: dict[str, Callable[..., Any]] | None = None, **fields: Any) -> RuleSpec:
    """A rule whose parts (`test`, `trace`, `message`, …) are these functions."""
    names = {f"part_{name}": function for name, function in (parts or {}).items()}
    values = {**FIELDS, **fields}
    assert values.keys() == FIELDS.keys()
    return RuleSpec([*values.values(), {name: f"part_{name}" for name in parts or ()}], names)


def raw(hook: str = "before_tool", **fields: Any) -> dict[str, Any]:
    """A canonical event; a shell call at the points of tools."""
    found = {"hook": hook, "session": "s", "id": "e", "workspace": "/workspace", "cwd": "/workspace", **fields}
    if hook in ("before_tool", "before_permission", "after_tool"):
        found.setdefault("tool", {"name": "sh", "kind": "shell", "args": {"command": "ls"}})
    return found


def context(hook: str = "before_tool", **fields: Any) -> EvaluationContext:
    """One event in a virtual workspace, without a session."""
    return EvaluationContext(Event.from_dict(raw(hook, **fields)), lambda workspace: Virtual(), None)


def raising(fault: Exception) -> Callable[..., Any]:
    """A part that cannot be worked out."""

    def part(*_given: object) -> Any:
        raise fault

    return part


def seen(truth: bool | None, name: str = "x", reasons: tuple[str, ...] = ()) -> Callable[[], Seen]:
    """A condition of this truth, with its own leaf, witness and evidence."""
    why = reasons or ((f"no {name}",) if truth is None else ())
    return lambda: Seen(name, truth, why, ((name, {"is": truth}),), {len(name): name}, (f"e-{name}",))

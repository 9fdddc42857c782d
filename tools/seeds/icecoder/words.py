"""Situations of iceCoder → events of ours, and what the rules report → its words; shared by the areas."""

from __future__ import annotations

from tools.seeds.base import UnknownShape
from tools.seeds.icecoder.host import Given, Host, shaped

_STATUS = {"pending": "pending", "awaiting_approval": "in_progress", "completed": "completed", "failed": "failed"}
VERIFICATION_STATUS = ("required", "passed", "failed")


def happen(host: Host, event: Given) -> None:
    """`{tool, path or command, ok, output}`."""
    shaped(event, "tool ok", "path command output args action task_id")
    args: Given = {key: event[key] for key in ("path", "command", "action", "task_id") if key in event} | event.get(
        "args", {}
    )
    host.result(event["tool"], args, event["ok"], event.get("output", ""))


def status(said: dict[str, str]) -> str:
    """The verification status of the task."""
    return next((one for one in VERIFICATION_STATUS if f"e1-status-{one}" in said), "not_required")


def changed(host: Host) -> list[str]:
    """The files of the change set."""
    said = host.round().get("e1-changed", "")
    return said.split(", ") if said else []


def todo_of(op: Given, number: int) -> Given:
    """An operation as the host's ledger has it: one item for each scope, its words in the title."""
    shaped(op, "", "effect status disposition risk receipt scope reversibility tool id")
    words = [f"{key}:{op[key]}" for key in ("effect", "risk", "disposition", "reversibility") if key in op]
    words += [f"receipt:{key}" for key, value in (op.get("receipt") or {}).items() if value]
    if op.get("status", "completed") not in _STATUS:
        raise UnknownShape(f"an operation that is `{op['status']}`")
    name = str(op.get("scope") or op.get("id") or f"operation-{number}")
    return {"id": name, "title": " ".join(words), "status": _STATUS[op.get("status", "completed")], "required": False}

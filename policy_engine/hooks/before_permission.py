"""Lifecycle point `before_permission`: the host is about to ask a person whether a tool call may run."""

from __future__ import annotations

from policy_engine.hooks.base import TOOL_CALL, HookPoint, payload

BEFORE_PERMISSION = HookPoint(
    "before_permission",
    fires="the host is about to ask a person",
    verdicts=("ask", "deny", "stop"),
    fields=TOOL_CALL,
    payload=payload("before_permission", tool={"name": "Bash", "kind": "shell", "args": {"command": "ls"}}),
    takes_tools=True,
)

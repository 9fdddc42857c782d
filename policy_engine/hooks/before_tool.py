"""Lifecycle point `before_tool`: a tool call was proposed and has not run."""

from __future__ import annotations

from policy_engine.hooks.base import ALL_VERDICTS, TOOL_CALL, HookPoint, payload

BEFORE_TOOL = HookPoint(
    "before_tool",
    fires="before a tool call runs",
    verdicts=ALL_VERDICTS,
    fields=TOOL_CALL,
    payload=payload("before_tool", tool={"name": "Bash", "kind": "shell", "args": {"command": "ls"}}),
    takes_tools=True,
    timeout=True,
)

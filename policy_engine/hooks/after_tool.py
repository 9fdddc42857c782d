"""Lifecycle point `after_tool`: a tool call ended, well or not."""

from __future__ import annotations

from policy_engine.hooks.base import RESULT, TOOL_CALL, HookPoint, payload

AFTER_TOOL = HookPoint(
    "after_tool",
    fires="a tool call ended, well or not",
    verdicts=("warn", "remind", "stop"),
    fields=TOOL_CALL + RESULT,
    payload=payload(
        "after_tool",
        tool={"name": "Bash", "kind": "shell", "args": {"command": "ls"}},
        result={"ok": True, "exit_code": 0, "text": "", "timed_out": False, "status": "completed"},
    ),
    takes_tools=True,
)

"""What coding agents say of their plans arrives in the event: the list, and how many of its steps are open."""

from __future__ import annotations

from typing import Any

import pytest

from policy_engine.adapters import claude_code, codex, droid, gemini, qwen
from tests.unit.adapters.recorded import ENVIRONMENT

CALL = {"session_id": "s", "cwd": "/w", "hook_event_name": "PostToolUse", "tool_use_id": "t1", "tool_response": {}}
STEPS = ("completed", "in_progress", "pending")
DECODES = {
    "codex": (codex.decode, "update_plan", "plan", "step", "PostToolUse"),
    "claude-code": (claude_code.decode, "TodoWrite", "todos", "content", "PostToolUse"),
    "droid": (droid.decode, "TodoWrite", "todos", "content", "PostToolUse"),
    "qwen": (qwen.decode, "todo_write", "todos", "content", "PostToolUse"),
    "gemini": (gemini.decode, "write_todos", "todos", "description", "AfterTool"),
}


def _decoded(decode: Any, payload: dict[str, Any]) -> dict[str, Any]:
    found = decode(payload, None, ENVIRONMENT)
    assert found is not None
    return dict(found)


@pytest.mark.parametrize("host", DECODES)
def test_the_list_of_a_plan_says_how_many_steps_are_open(host: str) -> None:
    decode, tool, key, title, native = DECODES[host]
    steps = [{title: f"step {number}", "status": status} for number, status in enumerate(STEPS)]
    call = {**CALL, "hook_event_name": native, "tool_name": tool, "tool_input": {key: steps}}
    found = _decoded(decode, call)
    assert found["plan"] == {"open_steps": 2}
    assert [(one["title"], one["status"]) for one in found["todos"]] == [
        (f"step {number}", status) for number, status in enumerate(STEPS)
    ]


def test_leaving_the_plan_mode_is_an_approved_plan() -> None:
    call = {**CALL, "tool_name": "ExitPlanMode", "tool_input": {"plan": "1. Repair it."}}
    assert _decoded(claude_code.decode, call)["plan"] == {"status": "approved"}
    before = {**call, "hook_event_name": "PreToolUse"}
    assert "plan" not in _decoded(claude_code.decode, before)

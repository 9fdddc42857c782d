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
def test_the_list_of_a_plan_is_the_list_of_todos(host: str) -> None:
    decode, tool, key, title, native = DECODES[host]
    steps = [{title: f"step {number}", "status": status} for number, status in enumerate(STEPS)]
    call = {**CALL, "hook_event_name": native, "tool_name": tool, "tool_input": {key: steps}}
    found = _decoded(decode, call)
    assert "plan" not in found, "the engine counts open steps, and what was approved stays approved"
    assert [(one["title"], one["status"]) for one in found["todos"]] == [
        (f"step {number}", status) for number, status in enumerate(STEPS)
    ]


def _status(host: str, native: str, tool: str = "Bash", answer: object = None, **more: object) -> str:
    """What is said of the plan's status, "" if nothing."""
    given = {**CALL, "hook_event_name": native, "tool_name": tool, "tool_input": {"command": "ls"}, "prompt": "Go on."}
    found = _decoded(DECODES[host][0], {**given, "tool_response": answer or {}, "submitted_prompt": "Go on.", **more})
    return str(found.get("plan", {}).get("status", ""))


PLANNING = {"permission_mode": "plan"}
APPROVED = {"llmContent": "User has approved your plan. You can now start coding."}


@pytest.mark.parametrize(
    ("host", "native", "tool", "answer", "more", "status"),
    [
        ("claude-code", "PreToolUse", "Read", None, PLANNING, "draft"),
        ("claude-code", "PreToolUse", "ExitPlanMode", None, PLANNING, "draft"),
        ("claude-code", "UserPromptSubmit", "", None, PLANNING, "draft"),
        ("codex", "PreToolUse", "Bash", None, PLANNING, "draft"),
        ("codex", "UserPromptSubmit", "", None, PLANNING, "draft"),
        ("qwen", "PreToolUse", "read_file", None, PLANNING, "draft"),
        ("claude-code", "PostToolUse", "EnterPlanMode", None, {}, "draft"),
        ("claude-code", "PostToolUse", "ExitPlanMode", None, {}, "approved"),
        ("claude-code", "PostToolUse", "ExitPlanMode", None, PLANNING, "approved"),
        ("qwen", "PostToolUse", "exit_plan_mode", APPROVED, {}, "approved"),
        ("gemini", "AfterTool", "exit_plan_mode", {"llmContent": "Plan approved. Go."}, {}, "approved"),
        ("gemini", "AfterTool", "exit_plan_mode", {"llmContent": "Plan rejected. User feedback: no"}, {}, "draft"),
        ("gemini", "AfterTool", "enter_plan_mode", {"llmContent": "Switching to Plan mode."}, {}, "draft"),
        ("claude-code", "PostToolUse", "Read", None, PLANNING, ""),  # its mode may be the one before the call
        ("claude-code", "PreToolUse", "Read", None, {"permission_mode": "default"}, ""),
        ("claude-code", "PreToolUse", "ExitPlanMode", None, {"permission_mode": "default"}, ""),
        ("claude-code", "PreToolUse", "Read", None, {**PLANNING, "agent_id": "a", "agent_type": "Plan"}, ""),
        ("claude-code", "PostToolUse", "ExitPlanMode", None, {"agent_id": "a", "agent_type": "mate"}, ""),
        ("qwen", "PostToolUse", "exit_plan_mode", {"llmContent": "Plan execution was not approved."}, {}, ""),
        ("gemini", "AfterTool", "enter_plan_mode", {"llmContent": "Plan approved."}, {}, "draft"),
        ("gemini", "AfterTool", "exit_plan_mode", {"llmContent": "Plan approved.", "error": {"message": "x"}}, {}, ""),
        ("gemini", "AfterTool", "read_file", {"llmContent": "Plan approved. Switching to it."}, {}, ""),
    ],
)  # fmt: skip
def test_how_far_a_plan_is_comes_from_the_plan_mode_and_the_person(
    host: str, native: str, tool: str, answer: object, more: dict[str, object], status: str
) -> None:
    assert _status(host, native, tool, answer, **more) == status

"""What the adapter of Claude Code reads out of a payload, case by case."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from policy_engine import Engine
from policy_engine.adapters.claude_code import ADAPTER, CAPABILITIES, decode
from policy_engine.filesystem.file_system import Virtual
from policy_engine.history.facts import facts_of
from policy_engine.model.errors import EventError
from policy_engine.model.event import Event

ENVIRONMENT = {b"CLAUDE_PROJECT_DIR": b"/home/dev/proj", b"CLAUDE_CODE_SESSION_ATTENDED": b"1"}
CALL = {
    "session_id": "s",
    "cwd": "/w",
    "permission_mode": "default",
    "hook_event_name": "PreToolUse",
    "tool_name": "Bash",
    "tool_input": {"command": "ls"},
    "tool_use_id": "t1",
}
SHELL = {"stdout": "o", "stderr": "", "interrupted": False}


def decoded(**changes: Any) -> dict[str, Any]:
    event = decode({**CALL, **changes}, None, {})
    assert event is not None
    return event


def after(response: object, **changes: Any) -> Any:
    return decoded(hook_event_name="PostToolUse", tool_response=response, **changes)["result"]


def failed(error: str, **changes: Any) -> Any:
    return decoded(hook_event_name="PostToolUseFailure", error=error, is_interrupt=False, **changes)["result"]


def test_a_shell_that_gave_one_but_counts_as_no_error_is_no_success() -> None:
    assert after({**SHELL, "returnCodeInterpretation": "No matches found"}) == {
        "ok": False,
        "text": "o",
        "status": "failed",
    }


@pytest.mark.parametrize("response", [None, "done", [], {}, 3])
def test_a_shell_answer_in_an_unknown_form_proves_nothing(response: object) -> None:
    result = after(response)
    assert result["status"] == "unknown"
    assert "ok" not in result
    assert "exit_code" not in result


def test_a_shell_answer_without_word_on_interruption_proves_nothing() -> None:
    assert "exit_code" not in after({"stdout": "o", "stderr": ""})
    assert after({**SHELL, "interrupted": True}) == {"ok": False, "text": "o", "status": "failed"}


def test_a_background_call_is_running_and_has_no_result() -> None:
    assert after({**SHELL, "backgroundTaskId": "b1"}) == {"text": "o", "status": "running"}


def test_the_exit_status_is_read_only_at_the_very_start_of_an_error() -> None:
    assert failed("Exit code 3\nout")["exit_code"] == 3
    assert failed("Exit code 3\nout")["text"] == "out"
    for text in (
        "no\nExit code 0",
        " Exit code 0",
        "Exit code 0 or so",
        "Exit code -1",
        "Exit code ٣",
        "exit code 0",
        "",
    ):
        assert "exit_code" not in failed(text)
    assert "exit_code" not in failed("Exit code 0", tool_name="Read", tool_input={"file_path": "/a"})


def test_a_timeout_needs_the_status_of_a_killed_shell() -> None:
    assert failed("Exit code 143\nCommand timed out after 1s")["status"] == "timed_out"
    assert failed("Exit code 1\nCommand timed out after 1s")["status"] == "failed"


@pytest.mark.fault(32)
@pytest.mark.parametrize(
    ("name", "kind"),
    [("Bash", "shell"), ("bash", "other"), ("Bash ", "other"), ("Write", "write"), ("MultiEdit", "edit"),
     ("Read", "read"), ("Glob", "search"), ("WebSearch", "fetch"), ("Task", "agent"), ("TaskUpdate", "todo"),
     ("mcp__a__b", "mcp"), ("Skill", "other")],
)  # fmt: skip
def test_a_tool_has_the_kind_of_exactly_its_name(name: str, kind: str) -> None:
    assert decoded(tool_name=name, tool_input={"query": "x"})["tool"]["kind"] == kind


@pytest.mark.fault(31)
@pytest.mark.requirement("R9")
@pytest.mark.parametrize("name", ["bash", "RunScript", "Bash "])
def test_an_unknown_tool_with_a_command_is_judged_as_a_shell_and_proves_nothing(name: str) -> None:
    before = decoded(tool_name=name, tool_input={"command": "pytest"})
    after = decoded(tool_name=name, tool_input={"command": "pytest"}, hook_event_name="PostToolUse", tool_response={})
    proposed, ended = Event.from_dict(before), Event.from_dict({**after, "result": {"ok": True}})
    assert (proposed.tool_kinds, proposed.shell_line) == (("other", "shell"), "pytest")
    facts = facts_of(ended, Virtual(), None)
    assert [(fact.kind, fact.name) for fact in facts] == [("called", name)]


def test_monitor_is_a_shell_where_it_runs_a_command() -> None:
    assert decoded(tool_name="Monitor")["tool"]["kind"] == "shell"
    assert decoded(tool_name="Monitor", tool_input={"ws": "x"})["tool"]["kind"] == "other"


def test_another_shell_dialect_is_named() -> None:
    assert decoded(tool_name="PowerShell")["tool"]["args"] == {"command": "ls", "shell": "powershell"}


def test_the_server_of_an_mcp_tool_is_the_one_the_host_names() -> None:
    assert decoded(tool_name="mcp__a__b__c")["tool"]["server"] == "a"
    assert decoded(tool_name="mcp__a__b__c", mcp_server={"name": "a__b", "source": "x"})["tool"]["server"] == "a__b"


@pytest.mark.requirement("R5")
@pytest.mark.parametrize(
    ("mode", "attended", "expected"),
    [("default", b"1", True), ("default", b"0", False), ("default", None, True), ("plan", None, True),
     ("bypassPermissions", b"1", False), ("dontAsk", b"1", False), ("auto", b"1", False), ("newMode", b"1", False)],
)  # fmt: skip
def test_a_person_can_be_asked_only_where_the_host_would_ask(mode: str, attended: bytes | None, expected: bool) -> None:
    environment = {} if attended is None else {b"CLAUDE_CODE_SESSION_ATTENDED": attended}
    found = decode({**CALL, "permission_mode": mode}, None, environment)
    assert found is not None
    assert found["host"]["interactive"] is expected


def test_the_workspace_is_the_project_of_the_host_else_the_working_directory() -> None:
    inside = decode(CALL, None, {"CLAUDE_PROJECT_DIR": "/p"})
    assert inside is not None
    assert (inside["workspace"], decoded()["workspace"]) == ("/p", "/w")
    with pytest.raises(EventError):
        decode(CALL, None, {b"CLAUDE_PROJECT_DIR": b"/\xff"})


NOTICE = "<task-notification>\n<task-id>b</task-id>\n</task-notification>"


@pytest.mark.parametrize(
    ("prompt", "source", "is_prompt"),
    [("hi", None, True), ("", None, True), ("hi", "sdk", True), (NOTICE, None, False), (NOTICE, "sdk", False),
     (NOTICE, "user", True), ("hi", "system", False), ("do it", "schedule_wakeup", False), ("hi", "novel", True)],
)  # fmt: skip
def test_only_what_somebody_submitted_is_a_prompt(prompt: str, source: str | None, is_prompt: bool) -> None:
    payload = {"session_id": "s", "cwd": "/w", "hook_event_name": "UserPromptSubmit", "prompt": prompt}
    found = decode(payload if source is None else {**payload, "source": source}, None, {})
    assert (found is not None) is is_prompt


def test_a_helper_of_compaction_is_no_sub_agent() -> None:
    payload = {"session_id": "s", "cwd": "/w", "hook_event_name": "SubagentStop", "agent_type": ""}
    assert decode(payload, None, {}) is None
    with pytest.raises(EventError):
        decode({**payload, "agent_type": "x"}, None, {})


@pytest.mark.parametrize("key", ["session_id", "cwd", "tool_name", "tool_input", "hook_event_name"])
@pytest.mark.parametrize("value", [None, 3, [], True, "", "absent"])
def test_a_payload_without_what_the_host_owes_is_refused(key: str, value: object) -> None:
    payload: dict[str, Any] = {**CALL, key: value}
    if value == "absent":
        del payload[key]
    if key == "tool_input" and value == "":
        payload[key] = ""
    with pytest.raises(EventError):
        decode(payload, None, {})


@pytest.mark.parametrize("payload", [None, [], "x", 3, {}])
def test_what_is_no_payload_is_refused(payload: object) -> None:
    with pytest.raises(EventError):
        decode(payload, None, {})


@pytest.mark.fault(27)
@pytest.mark.requirement("R9")
@pytest.mark.parametrize("name", ["pretooluse", "PreToolUse ", "PreToolUseV2", "Unknown"])
def test_an_unknown_event_is_refused_with_exit_2_and_a_reason(name: str) -> None:
    with pytest.raises(EventError) as caught:
        decode({**CALL, "hook_event_name": name}, None, {})
    answer = ADAPTER.failure(name, caught.value.code, str(caught.value))
    assert (answer.stdout, answer.exit_code) == (b"", 2)
    assert b"E-POINT" in answer.stderr


def test_the_event_on_the_command_line_fills_in_but_never_contradicts() -> None:
    unnamed = {key: value for key, value in CALL.items() if key != "hook_event_name"}
    assert decode(unnamed, "PreToolUse", {}) == decoded()
    with pytest.raises(EventError):
        decode(CALL, "PostToolUse", {})


def test_every_event_of_the_table_is_registered() -> None:
    assert [name for name, _ in ADAPTER.registration.events] == list(CAPABILITIES)
    assert ADAPTER.registration.fail_closed_events <= CAPABILITIES.keys()


@pytest.mark.parametrize(
    ("who", "path", "verdict"),
    [
        ({"agent_id": "a1", "agent_type": "docs-writer"}, "src/a.py", "deny"),
        ({"agent_id": "a1", "agent_type": "docs-writer"}, "docs/a.md", "allow"),
        ({"agent_id": "a1", "agent_type": "other"}, "src/a.py", "allow"),
        ({"agent_type": "docs-writer"}, "src/a.py", "deny"),  # `claude --agent docs-writer`
        ({}, "src/a.py", "allow"),
    ],
)
def test_the_rule_of_the_cookbook_on_a_sort_of_sub_agent_fires(who: dict[str, str], path: str, verdict: str) -> None:
    pages = (Path(__file__).parents[3] / "docs" / "cookbook.md").read_text(encoding="utf-8")
    rule = next(block for block in pages.split("```") if "rule docs-only" in block).removeprefix("policy")
    written = {"tool_name": "Write", "tool_input": {"file_path": f"/w/{path}", "content": "x"}}
    assert Engine.from_text("language 1\n" + rule).decide(decoded(**written, **who)).verdict == verdict


@pytest.mark.parametrize(("who", "verdict"), [({"agent_id": "a1", "agent_type": "x"}, "deny"), ({}, "allow")])
def test_a_sub_agent_is_known_by_its_kind(who: dict[str, str], verdict: str) -> None:
    policy = 'language 1\nrule a "A" { on before_tool when agent.kind == "subagent" deny "No." }'
    assert Engine.from_text(policy).decide(decoded(**who)).verdict == verdict

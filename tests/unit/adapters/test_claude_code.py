"""Claude Code: recorded payloads become canonical events, decisions become answers that its hook reader takes.

`tests/adapters/claude-code/*.in.json` are recordings of version 2.1.329; `*.out.json` beside them the canonical event
(null: no lifecycle point), `answers.json` every verdict at every event. After a wanted change:
`python -m tests.unit.adapters.test_claude_code` rewrites the expected halves; read the difference.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from policy_engine.adapters.base import Answer
from policy_engine.adapters.claude_code import ADAPTER, CAPABILITIES, decode, encode
from policy_engine.model.decision import Decision, RuleResult
from policy_engine.model.event import Event
from policy_engine.model.ladder import VERDICTS

RECORDED = Path(__file__).parents[2] / "adapters" / "claude-code"
ENVIRONMENT = {b"CLAUDE_PROJECT_DIR": b"/home/dev/proj", b"CLAUDE_CODE_SESSION_ATTENDED": b"1"}
INPUTS = sorted(RECORDED.glob("*.in.json"))
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


def decision(verdict: str, hook: str, **more: Any) -> Decision:
    rules = (
        RuleResult(f"{verdict}-rule", "violated", verdict, f"Why {verdict}.", "p.policy:3:1", reason="repeat_cycle"),
        RuleResult("hint", "violated", "remind", "Remember this.", "p.policy:9:1"),
        RuleResult("note", "violated", "warn", "Look at this.", "p.policy:12:1"),
    )
    spoken = () if verdict == "allow" else rules[: 1 if verdict in ("warn", "remind") else 3]
    return Decision("e", hook, "s", verdict, "sha256:0", spoken, **more)


def event(native: str, interactive: bool) -> Event:
    point = CAPABILITIES[native].point
    tool = {"tool": {"name": "Bash", "kind": "shell", "args": {"command": "ls", "description": "d"}}}
    host = {"name": "claude-code", "interactive": interactive}
    return Event.from_dict({"hook": point, "session": "s", "host": host, **tool})


def shown(answer: Answer) -> dict[str, Any]:
    return {
        "stdout": json.loads(answer.stdout) if answer.stdout else None,
        "stderr": answer.stderr.decode(),
        "exit": answer.exit_code,
    }


def answers() -> dict[str, Any]:
    table: dict[str, Any] = {}
    for native, capability in CAPABILITIES.items():
        for verdict in VERDICTS:
            table[f"{native} {verdict}"] = shown(
                encode(decision(verdict, capability.point), native, event(native, True))
            )
        table[f"{native} ask, nobody there"] = shown(
            encode(decision("ask", capability.point), native, event(native, False))
        )
        table[f"{native} failure"] = shown(ADAPTER.failure(native, "E-JSON", "the input is not JSON"))
    return table


@pytest.mark.parametrize("path", INPUTS, ids=lambda path: path.name[:-8])
def test_a_recorded_payload_becomes_its_canonical_event(path: Path) -> None:
    found = decode(json.loads(path.read_text()), None, ENVIRONMENT)
    assert found == json.loads(path.with_name(path.name[:-8] + ".out.json").read_text())
    if found is not None:
        assert Event.from_dict(found).hook == CAPABILITIES[path.name.split(".")[0]].point


@pytest.mark.requirement("R2", "R5", "R19")
def test_every_verdict_at_every_event_has_its_recorded_answer() -> None:
    assert answers() == json.loads((RECORDED / "answers.json").read_text())


@pytest.mark.requirement("R2")
@pytest.mark.parametrize("native", [name for name, capability in CAPABILITIES.items() if capability.gate])
def test_a_refusal_and_a_failure_at_a_gate_go_out_on_both_channels(native: str) -> None:
    for answer in (
        encode(decision("deny", CAPABILITIES[native].point), native, None),
        ADAPTER.failure(native, "E-JSON", "broken"),
        encode(decision("ask", CAPABILITIES[native].point), native, None),
    ):
        output = json.loads(answer.stdout)
        specific = output.get("hookSpecificOutput", {})
        refused = (
            output.get("decision"),
            specific.get("permissionDecision"),
            specific.get("decision", {}).get("behavior"),
        )
        assert set(refused) & {"block", "deny"}
        assert answer.exit_code == 2
        assert answer.stderr.strip()


CONTEXT = ("SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "PostToolBatch", "SubagentStart")
LEGAL = {
    "PreToolUse": {"permissionDecision", "permissionDecisionReason", "updatedInput", "additionalContext"},
    "PermissionRequest": {"decision"},
    **{native: {"additionalContext"} for native in CONTEXT},
}


def test_answers_hold_only_keys_that_are_legal_for_their_event() -> None:
    for name, answer in answers().items():
        output, native = answer["stdout"] or {}, name.split()[0]
        assert output.keys() <= {"continue", "stopReason", "systemMessage", "decision", "reason", "hookSpecificOutput"}
        specific = output.get("hookSpecificOutput", {"hookEventName": native})
        assert specific.pop("hookEventName") == native
        assert specific.keys() <= LEGAL.get(native, set()), name
        assert output.get("decision") in (None, "block")
        assert specific.get("permissionDecision") != "allow"


def test_allow_says_nothing() -> None:
    for native, capability in CAPABILITIES.items():
        answer = encode(decision("allow", capability.point), native, None)
        assert (answer.stdout, answer.stderr, answer.exit_code) == (b"", b"", 0)


def test_stop_before_a_tool_also_denies_the_tool() -> None:
    output = shown(encode(decision("stop", "before_tool"), "PreToolUse", None))
    assert output["exit"] == 2
    assert output["stdout"]["continue"] is False
    assert output["stdout"]["hookSpecificOutput"]["permissionDecision"] == "deny"


def test_stop_at_completion_does_not_force_the_agent_on() -> None:
    answer = shown(encode(decision("stop", "before_completion"), "Stop", None))
    assert answer["exit"] == 0
    assert answer["stdout"].keys() == {"continue", "stopReason", "systemMessage"}


def test_a_reminder_at_completion_does_not_force_the_agent_on() -> None:
    answer = shown(encode(decision("remind", "before_completion"), "Stop", None))
    assert answer == {"stdout": {"systemMessage": "Why remind. [remind-rule, p.policy:3:1]"}, "stderr": "", "exit": 0}


def test_a_time_budget_rewrites_the_call_of_an_allowed_shell_command_only() -> None:
    allowed = encode(decision("allow", "before_tool", timeout_ms=60_000), "PreToolUse", event("PreToolUse", True))
    assert json.loads(allowed.stdout)["hookSpecificOutput"] == {
        "hookEventName": "PreToolUse",
        "updatedInput": {"command": "ls", "description": "d", "timeout": 60_000},
    }
    denied = encode(decision("deny", "before_tool", timeout_ms=60_000), "PreToolUse", event("PreToolUse", True))
    assert b"updatedInput" not in denied.stdout


def test_errors_of_the_engine_are_reported_on_standard_error() -> None:
    answer = encode(decision("allow", "before_tool", errors=("main.policy:3:1: broken\x1b[2J",)), "PreToolUse", None)
    assert (answer.stdout, answer.stderr) == (b"", b"main.policy:3:1: broken\\x1b[2J\n")


def test_nothing_from_an_event_reaches_a_terminal_unescaped() -> None:
    message = "Could not be decided: no \x07 bell. a\x1b[2Jb\u202ec\u200bd\udc80e\u2028f"
    rules = (RuleResult("r", "undecided", "deny", message, "p:1:1", undecided=("no \x07 bell",)),)
    answer = encode(Decision("e", "before_tool", "s", "deny", "", rules), "PreToolUse", None)
    text = json.loads(answer.stdout)["hookSpecificOutput"]["permissionDecisionReason"]
    assert text == "Could not be decided: no \\x07 bell. a\\x1b[2Jb\\u202ec\\u200bd\\udc80e\\u2028f [r, p:1:1]"
    assert answer.stderr.decode() == text + "\n"


def test_a_reason_is_cut_between_rules_and_says_so() -> None:
    rules = tuple(RuleResult(f"r{n}", "violated", "deny", "x" * 3000, "") for n in range(9))
    answer = encode(Decision("e", "before_tool", "s", "deny", "", rules), "PreToolUse", None)
    assert answer.stderr.decode().endswith("… and 8 more rules; `policy why` shows each.\n")


def _rewrite() -> None:
    for path in INPUTS:
        found = decode(json.loads(path.read_text()), None, ENVIRONMENT)
        target = path.with_name(path.name[:-8] + ".out.json")
        target.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n")
    (RECORDED / "answers.json").write_text(json.dumps(answers(), indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    _rewrite()

"""Facts: only calls that ran are facts, and only an exit status that proves it is a success."""

from __future__ import annotations

import pytest

from policy_engine.filesystem.file_system import Virtual
from policy_engine.history.facts import Fact, ended, facts_of, refusals, verified
from policy_engine.model.event import Event
from policy_engine.model.undecided import Undecided
from policy_engine.shell.parse import parse

BASE = {"session": "s", "id": "e", "cwd": "/workspace", "workspace": "/workspace"}


def shown(fact: Fact) -> str:
    what = str(fact.path.real) if fact.path is not None else f"{fact.name}{' ' + fact.outcome if fact.outcome else ''}"
    return f"{'' if fact.sure else 'maybe '}{fact.kind} {what}".strip()


def facts(**raw: object) -> list[str]:
    event = Event.from_dict({**BASE, **raw})
    filesystem = Virtual()
    commands: object = None
    if event.tool_kind == "shell" and event.tool_args is not None:
        try:
            commands = parse(event.tool_args["command"], event.cwd, filesystem)
        except Undecided as unknown:
            commands = unknown
    found = facts_of(event, filesystem, commands)  # type: ignore[arg-type]
    return [shown(fact) for fact in found if fact.kind != "tests"]  # tests/unit/test_runs has those


def shell(line: str, **result: object) -> list[str]:
    tool = {"name": "Bash", "kind": "shell", "args": {"command": line}}
    return facts(hook="after_tool", tool=tool, result=result)


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        ({"exit_code": 0}, "success"),
        ({"exit_code": 0, "status": "completed"}, "success"),
        ({"ok": True, "exit_code": 0}, "success"),
        ({"ok": True}, "unproven"),
        ({"status": "completed"}, "unproven"),
        ({"ok": False, "exit_code": 0}, "unproven"),
        ({"status": "completed", "ok": False, "exit_code": 0}, "unproven"),
        ({"exit_code": 1}, "failure"),
        ({"exit_code": 1, "status": "failed"}, "failure"),
        ({"timed_out": True}, "failure"),
        ({"status": "timed_out"}, "failure"),
        ({"status": "failed", "exit_code": 0}, "unproven"),
        ({"status": "running", "exit_code": 0}, "pending"),
        ({"status": "started"}, "pending"),
        ({"status": "unknown", "exit_code": 0}, "unproven"),
        ({}, "unproven"),
    ],
)
def test_the_end_of_a_lone_command_proves_what_it_proves(result: dict[str, object], expected: str) -> None:
    assert [fact for fact in shell("pytest", **result) if "command" in fact] == [f"command pytest {expected}"]


def test_a_list_proves_success_of_all_and_failure_of_none() -> None:
    assert shell("cd x && pytest", exit_code=0)[1:] == ["command cd x success", "command pytest success"]
    assert shell("cd x && pytest", exit_code=1)[1:] == ["command cd x unproven", "command pytest unproven"]


def test_a_line_that_is_not_understood_is_a_possible_run() -> None:
    assert shell("pytest | |", exit_code=0) == ["called Bash", "maybe command pytest | | unproven"]


def test_only_the_end_of_a_pipe_is_proven_by_its_status() -> None:
    assert shell("pytest | tail", exit_code=0) == ["called Bash", "command pytest unproven", "command tail success"]


def test_blocked_and_proposed_calls_are_no_facts() -> None:
    tool = {"name": "Write", "kind": "write", "args": {"file_path": "a", "content": ""}}
    assert facts(hook="after_tool", tool=tool, result={"status": "blocked"}) == []
    assert facts(hook="before_tool", tool=tool) == []
    assert facts(hook="after_tool", tool=tool, result={"status": "running"}) == []


def test_a_failed_write_wrote_what_changes_say() -> None:
    tool = {"name": "Write", "kind": "write", "args": {"file_path": "a", "content": ""}}
    assert facts(hook="after_tool", tool=tool, result={"ok": True}) == ["called Write", "wrote /workspace/a"]
    assert facts(hook="after_tool", tool=tool, result={"ok": False}) == ["called Write"]
    changes = [{"path": "b", "kind": "write"}]
    assert facts(hook="after_tool", tool=tool, result={"ok": False}, changes=changes) == [
        "called Write", "wrote /workspace/b",
    ]  # fmt: skip
    assert facts(hook="after_tool", tool=tool) == ["maybe called Write", "maybe wrote /workspace/a"]
    odd = {"name": "Write", "kind": "write", "args": {"target": "a"}}
    assert facts(hook="after_tool", tool=odd, result={"ok": True}) == ["called Write", "maybe wrote"]


def test_effects_of_a_proven_shell_success_are_facts_unless_changes_say_more() -> None:
    assert shell("mv a b", exit_code=0)[2:] == ["maybe read /workspace/a", "deleted /workspace/a", "wrote /workspace/b"]
    assert shell("rm -f a", exit_code=0)[2:] == ["maybe deleted /workspace/a"]
    assert shell("touch a", exit_code=0)[2:] == ["maybe wrote /workspace/a"]
    assert shell("cat a", exit_code=0)[2:] == ["read /workspace/a"]
    assert shell("ls a", exit_code=0)[2:] == []
    assert shell("mv a b", exit_code=1)[2:] == []
    tool = {"name": "Bash", "kind": "shell", "args": {"command": "mv a b"}}
    said = facts(hook="after_tool", tool=tool, result={"exit_code": 0}, changes=[])
    assert said == ["called Bash", "command mv a b success"]


def test_changes_facts_and_prompts_come_with_any_event() -> None:
    assert facts(hook="prompt", prompt="go") == ["prompted"]
    changes = [{"path": "a", "kind": "write"}, {"path": "/etc/b", "kind": "delete"}]
    assert facts(hook="session_start", changes=changes) == ["wrote /workspace/a", "deleted /etc/b"]
    assert facts(hook="after_round", facts={"coverage": 90}) == ["tool_fact coverage"]


def test_a_call_through_mcp_proves_no_write() -> None:
    tool = {"name": "fs", "kind": "mcp", "args": {"path": "a"}}
    assert facts(hook="after_tool", tool=tool, result={"ok": True}) == ["called fs"]


def test_the_engine_adds_its_own_facts() -> None:
    event = Event.from_dict({**BASE, "hook": "before_completion", "answer": "done"})
    assert [shown(fact) for fact in refusals(event, ("a", "b"))] == ["refused a", "refused b"]
    assert shown(verified("lint", "ok", event)) == "verified lint"


def test_a_background_call_without_a_status_is_pending() -> None:
    tool = {"name": "Bash", "kind": "shell", "args": {"command": "pytest", "run_in_background": True}}
    event = Event.from_dict({**BASE, "hook": "after_tool", "tool": tool, "result": {"exit_code": 0}})
    assert ended(event) == "started"

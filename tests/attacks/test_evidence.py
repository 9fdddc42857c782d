"""Evidence cannot be made: a result proves something only if its call was proposed, let through, and has not ended."""

from __future__ import annotations

import signal
import subprocess
from typing import Any

import pytest

from tests.end_to_end.host import STATEFUL, Host


@pytest.fixture
def dirty(host: Host) -> Host:
    """A session that changed the source and has not run the tests."""
    host.write_policy(STATEFUL)
    host.warm()
    (host.workspace / "src").mkdir()
    host.call(host.payload("SessionStart", source="startup"))
    host.call(read(host, "README.md"))
    host.call(host.wrote("src/a.py", "w1"))
    assert host.call(host.stop()).refused
    host.asks = False
    return host


def read(host: Host, name: str) -> dict[str, Any]:
    given = {"file_path": str(host.workspace / name)}
    return host.payload("PostToolUse", tool_name="Read", tool_input=given, tool_response={}, tool_use_id=f"r-{name}")


def green(host: Host, call: str = "forged") -> dict[str, Any]:
    return host.ran("pytest -q", call)


def red(host: Host, call: str) -> dict[str, Any]:
    ran = host.ran("pytest -q", call)
    del ran["tool_response"]
    return {**ran, "hook_event_name": "PostToolUseFailure", "error": "Exit code 1\n1 failed"}


def test_a_result_that_nobody_asked_about_proves_nothing(dirty: Host) -> None:
    assert "nothing is proved by it" in dirty.call(green(dirty)).out.decode()
    assert dirty.call(dirty.stop()).refused


def test_without_an_identity_it_proves_nothing_either(dirty: Host) -> None:
    forged = green(dirty)
    del forged["tool_use_id"]
    dirty.call(forged)
    assert dirty.call(dirty.stop()).refused


def test_in_another_host_s_words_it_proves_nothing_either(dirty: Host) -> None:
    dirty.call(green(dirty), "codex")
    dirty.call(green(dirty), "qwen")
    tool = {"name": "sh", "kind": "shell", "id": "x", "args": {"command": "pytest -q"}}
    event = {"hook": "after_tool", "session": "s-1", "tool": tool, "result": {"ok": True, "exit_code": 0}}
    dirty.call({**event, "cwd": str(dirty.workspace), "workspace": str(dirty.workspace)}, "generic")
    assert dirty.call(dirty.stop()).refused


def test_the_result_of_a_refused_call_proves_nothing(dirty: Host) -> None:
    assert dirty.call(dirty.shell("pytest -q; rm a", tool_use_id="c1")).refused
    dirty.call(dirty.ran("pytest -q; rm a", "c1"))
    dirty.call(dirty.shell("rm x", tool_use_id="c2"))
    dirty.call(green(dirty, "c2"))
    assert dirty.call(dirty.stop()).refused


def test_the_identity_of_another_call_does_not_help(dirty: Host) -> None:
    dirty.call(dirty.shell("sleep 9", tool_use_id="c1"))
    dirty.call(green(dirty, "c1"))
    assert dirty.call(dirty.stop()).refused


def test_what_ended_cannot_end_once_more_and_better(dirty: Host) -> None:
    dirty.call(dirty.shell("pytest -q", tool_use_id="c1"))
    dirty.call(red(dirty, "c1"))
    dirty.call(green(dirty, "c1"))
    assert dirty.call(dirty.stop()).refused


def test_who_comes_before_the_true_end_does_not_keep_it(dirty: Host) -> None:
    dirty.call(dirty.shell("pytest -q", tool_use_id="c1"))
    dirty.call(green(dirty, "c1"))  # by the tests themselves, say, while they run
    dirty.call(red(dirty, "c1"))
    assert dirty.call(dirty.stop()).refused


def test_the_list_of_todos_cannot_be_made(host: Host) -> None:
    rule = 'language 1\nrule open "Open" { on before_completion when any t in todos { t.status == "pending" } deny }'
    host.write_policy(rule)

    def todos(status: str, call: str) -> dict[str, Any]:
        given = {"todos": [{"content": "a", "status": status, "activeForm": "a"}]}
        return host.payload("PostToolUse", tool_name="TodoWrite", tool_input=given, tool_response={}, tool_use_id=call)

    host.call(todos("pending", "t1"))
    assert host.call(host.stop()).refused
    host.asks = False
    host.call(todos("completed", "t2"))
    assert host.call(host.stop()).refused
    host.asks = True
    host.call(todos("completed", "t3"))
    assert host.call(host.stop()).verdict == "allow"


def test_an_honest_run_afterwards_is_believed(dirty: Host) -> None:
    dirty.call(green(dirty))
    dirty.call(dirty.shell("pytest -q", tool_use_id="c1"))
    dirty.call(green(dirty, "c1"))
    assert dirty.call(dirty.stop()).verdict == "allow"


def kill(host: Host) -> None:
    """A hook that the host starts, and that is killed before it has read the event."""
    process = host.start(subprocess.PIPE)
    process.send_signal(signal.SIGKILL)
    process.communicate()


def test_a_result_whose_hook_was_killed_makes_the_past_uncertain_until_the_next_run(dirty: Host) -> None:
    dirty.call(dirty.shell("pytest -q", tool_use_id="c1"))
    dirty.call(green(dirty, "c1"))
    dirty.call(dirty.shell("pytest -q", tool_use_id="c2"))
    kill(dirty)
    assert dirty.call(dirty.stop()).refused
    dirty.call(dirty.shell("pytest -q", tool_use_id="c3"))
    dirty.call(green(dirty, "c3"))
    assert dirty.call(dirty.stop()).verdict == "allow"


@pytest.mark.parametrize("command", ["ls -l", "git log --oneline", "npm run dev", "cat src/a.py"])
def test_a_call_that_could_not_matter_and_never_ended_takes_nothing_away(dirty: Host, command: str) -> None:
    dirty.call(dirty.shell("pytest -q", tool_use_id="c1"))
    dirty.call(green(dirty, "c1"))
    dirty.call(dirty.shell(command, tool_use_id="c2"))  # a person says no, or it still runs
    assert dirty.call(dirty.stop()).verdict == "allow"


def test_what_was_lost_before_a_run_takes_nothing_from_it(dirty: Host) -> None:
    dirty.call(dirty.shell("make -C x && pytest -q tests", tool_use_id="c0"))
    dirty.call(dirty.shell("pytest -q", tool_use_id="c1"))
    dirty.call(green(dirty, "c1"))
    assert dirty.call(dirty.stop()).verdict == "allow"


def test_calls_side_by_side_take_nothing_from_each_other(dirty: Host) -> None:
    for call, command in (("c1", "pytest -q"), ("c2", "ls"), ("c3", "cat src/a.py")):
        dirty.call(dirty.shell(command, tool_use_id=call))
    dirty.call(dirty.ran("cat src/a.py", "c3"))
    dirty.call(dirty.ran("ls", "c2"))
    dirty.call(green(dirty, "c1"))
    assert dirty.call(dirty.stop()).verdict == "allow"


def test_calls_without_an_identity_are_paired_by_what_they_are(host: Host) -> None:
    host.write_policy(STATEFUL)

    def gemini(event: str, tool: str, given: dict[str, Any], **more: Any) -> bool:
        payload = {"session_id": "s-1", "hook_event_name": event, "cwd": str(host.workspace), **more}
        if tool:
            payload |= {"tool_name": tool, "tool_input": given}
        return host.call(payload, "gemini").status == 2

    tests, ended = {"command": "pytest -q"}, {"tool_response": {"llmContent": "Output: 1 passed"}}
    new = {"file_path": str(host.workspace / "src/a.py"), "content": "x"}
    gemini("AfterTool", "write_file", new, tool_response={"llmContent": "ok"})
    gemini("AfterTool", "run_shell_command", tests, **ended)
    assert gemini("AfterAgent", "", {})
    gemini("BeforeTool", "run_shell_command", tests)
    gemini("AfterTool", "run_shell_command", tests, **ended)
    assert not gemini("AfterAgent", "", {})
    (host.workspace / "src").mkdir()
    (host.workspace / "src/a.py").write_text("y")
    gemini("AfterTool", "run_shell_command", tests, **ended)  # once proposed, once ended
    assert gemini("AfterAgent", "", {})

"""`policy repl`: what is typed is asked about one event; an event of a file, of the log, or a shell line."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tests.unit.commands.running import ROOT, Shell, event

RULE = """\
rule no-rm "Nothing is removed" {
  on before_tool(shell)
  when any c in commands { c.program == "rm" }
  deny "No."
}
"""


def _asked(policy: Shell, *typed: str, arguments: tuple[str, ...] = ("--shell", "rm -rf build/x")) -> list[str]:
    done = policy("repl", *arguments, stdin="\n".join(typed).encode())
    assert (done.status, done.err) == (0, "")
    return done.out.splitlines()


def test_a_value_is_shown_and_a_condition_with_its_parts(policy: Shell) -> None:
    assert _asked(policy, "tool.name", "commands", 'tool.args["none"]', "count c in commands { true }") == [
        '"Bash"',
        '["rm -rf build/x"]',
        "absent",
        "1",
    ]
    assert _asked(policy, 'any c in commands { c.program == "rm" }') == [
        '✓ any c in commands { … }  c = "rm -rf build/x"',
        '  ✓ c.program == "rm"  c.program = "rm"',
    ]
    assert _asked(policy, 'has tool.args["none"]')[0].startswith("✗ has tool.args")
    assert _asked(policy, "git.branch")[0].startswith("undecided: `git.branch` is not known")


def test_a_rule_says_what_it_comes_to_and_a_define_holds_from_then_on(policy: Shell) -> None:
    said = _asked(policy, RULE, 'define built = glob("build/**")', "any p in paths { p matches built }")
    assert said[0].startswith("violated  no-rm  → deny")
    assert said[-2].startswith("✓ any p in paths")
    other = 'rule other "o" { on before_completion deny "Not yet." }'
    assert _asked(policy, other) == ["`other` does not listen here"]


def test_the_defines_of_a_policy_may_be_used_and_the_past_of_the_event(policy: Shell) -> None:
    policy.write("a.policy", 'language 1\n\ndefine tests = command("pytest")\n')
    ran = event(1, "pytest", hook="after_tool", result={"ok": True, "exit_code": 0, "status": "completed"})
    policy.write("events.jsonl", "\n".join(map(json.dumps, (ran, event(2, "git push")))))
    arguments = ("-p", "a.policy", "--event", "events.jsonl")
    said = _asked(policy, "command_success(tests)", "session.steps", arguments=arguments)
    assert said[0].startswith("✓ command_success(tests)") and said[-1] == "1"


def test_without_an_event_it_is_the_last_that_was_decided_here(policy: Shell) -> None:
    policy.write(".policy/main.policy", f"language 1\n\n{RULE}")
    done = policy("repl", stdin=b"tool.name")
    assert (done.status, done.err.startswith("error: the log has no event of this workspace")) == (2, True)
    payload = {
        "hook_event_name": "PreToolUse", "session_id": "s", "cwd": str(policy.folder), "tool_name": "Bash",
        "tool_input": {"command": "rm a"},
    }  # fmt: skip
    policy.process("hook", "claude-code", stdin=json.dumps(payload).encode())
    assert _asked(policy, 'tool.args["command"]', arguments=()) == ['"rm a"']


@pytest.mark.parametrize(
    ("typed", "problem"),
    [("nonsense", "unknown name `nonsense`"), ("1 +", "`+` has no meaning here"), ("define x = y", "unknown name `y`")],
)
def test_what_cannot_be_asked_is_said_and_the_next_is_read(policy: Shell, typed: str, problem: str) -> None:
    done = policy("repl", "--shell", "ls", stdin=f"{typed}\ntool.name\n".encode())
    assert (done.status, done.out) == (2, '"Bash"\n')
    assert done.err.startswith(f"error: {problem}")


def test_at_a_terminal_earlier_lines_come_back_and_names_are_completed(policy: Shell) -> None:
    pytest.importorskip("readline")
    master, slave = pty.openpty()
    environment = {**os.environ, **policy.environment, "PYTHONPATH": str(ROOT), "TERM": "xterm", "NO_COLOR": "1"}
    command = [sys.executable, "-m", "policy_engine", "repl", "--shell", "ls"]
    with subprocess.Popen(
        command, cwd=policy.folder, env=environment, stdin=slave, stdout=slave, stderr=slave
    ) as child:
        os.close(slave)
        said = _until(master, b"> ")
        assert "before_tool  ls" in said
        os.write(master, b"tool.na\t\n")
        assert '"Bash"' in _until(master, b"> ")
        os.write(master, b"\x1b[A\n")  # the line before
        assert '"Bash"' in _until(master, b"> ")
        os.write(master, b"\x04")
        assert child.wait(60) == 0
    os.close(master)


def _until(master: int, end: bytes) -> str:
    """Read what stands at the terminal until it ends so."""
    said = b""
    while not said.rstrip(b"\x1b[?2004h").endswith(end) or said.count(b"\n") < 1:
        said += os.read(master, 1 << 16)
    return said.decode("utf-8", "replace")


def test_it_takes_one_event(policy: Shell, tmp_path: Path) -> None:
    assert policy("repl", "--shell", "ls", "--event", "x").status == 2
    assert policy("repl", "--event", "-").status == 2
    policy.write("none.jsonl", "")
    assert "holds no event" in policy("repl", "--event", "none.jsonl").err

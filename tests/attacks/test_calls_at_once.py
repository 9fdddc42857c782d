"""Calls that run at once, or go on after their answer: what is written while tests run is not proven by them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from policy_engine.bootstrap import Engine
from tests.attacks.session import Session
from tests.attacks.test_runs_of_tests import dirty, finish  # noqa: F401 -- a fixture

GREEN = {"stdout": "5 passed in 0.1s", "stderr": "", "interrupted": False, "isImage": False}


def call(session: Session, event: str, name: str, tool: str, given: dict[str, Any], **more: Any) -> None:
    payload = session.host.payload(event, tool_name=tool, tool_input=given, tool_use_id=name, **more)
    assert session.host.call(payload).verdict == "allow"


def runs(session: Session, event: str, name: str = "t", **more: Any) -> None:
    answer = {"tool_response": GREEN} if event == "PostToolUse" else {}
    call(session, event, name, "Bash", {"command": "pytest -q", **more}, **answer)


def writes(session: Session, event: str, name: str = "w") -> None:
    path = session.workspace / "src/app.py"
    answer = {}
    if event == "PostToolUse":
        path.write_text(f"x = '{name}'\n")
        answer = {"tool_response": {"success": True}}
    call(session, event, name, "Write", {"file_path": str(path), "content": "x"}, **answer)


def reads(session: Session, event: str) -> None:
    answer = {"tool_response": {"file": {"content": "x"}}} if event == "PostToolUse" else {}
    call(session, event, "r", "Read", {"file_path": str(session.workspace / "src/app.py")}, **answer)


@pytest.mark.parametrize("first", ["the run", "the write"])
def test_what_is_written_while_tests_run_is_not_proven_by_them(dirty: Session, first: str) -> None:  # noqa: F811
    for start in (runs, writes) if first == "the run" else (writes, runs):
        start(dirty, "PreToolUse")
    writes(dirty, "PostToolUse")
    runs(dirty, "PostToolUse")
    assert finish(dirty) == "refused"
    runs(dirty, "PreToolUse", "again")
    runs(dirty, "PostToolUse", "again")
    assert finish(dirty) == "accepted"


def test_a_write_by_a_shell_beside_the_tests_is_not_proven_either(dirty: Session) -> None:  # noqa: F811
    runs(dirty, "PreToolUse")
    given = {"command": "python fix.py"}
    call(dirty, "PreToolUse", "s", "Bash", given)
    dirty.put("src/app.py", "x = 3\n")
    call(dirty, "PostToolUse", "s", "Bash", given, tool_response={**GREEN, "stdout": ""})
    runs(dirty, "PostToolUse")
    assert finish(dirty) == "refused"


def test_a_call_that_only_reads_beside_the_tests_takes_nothing_away(dirty: Session) -> None:  # noqa: F811
    runs(dirty, "PreToolUse")
    reads(dirty, "PreToolUse")
    reads(dirty, "PostToolUse")
    runs(dirty, "PostToolUse")
    assert finish(dirty) == "accepted"


def test_a_run_whose_beginning_is_not_known_proves_nothing(tmp_path: Path) -> None:
    (tmp_path / "main.policy").write_text(
        'language 1\nrule t "T" {\n  on before_completion\n  when wrote(glob("a.py"))\n'
        '  require tests_passed() since wrote(glob("a.py"))\n  deny "Run them."\n}\n'
    )
    engine = Engine.load(tmp_path)
    base = {"session": "s", "cwd": str(tmp_path), "workspace": str(tmp_path)}
    ended = {"ok": True, "status": "completed", "exit_code": 0}
    edit = {"name": "Edit", "kind": "edit", "args": {"file_path": "a.py", "old_string": "x", "new_string": "y"}}
    shell = {"name": "Bash", "kind": "shell", "args": {"command": "pytest -q"}}
    engine.decide({**base, "hook": "after_tool", "tool": edit, "result": ended, "call": "aa"})
    engine.decide({**base, "hook": "after_tool", "tool": shell, "result": ended, "call": "bb", "beside": "ff"})
    assert engine.decide({**base, "hook": "before_completion"}).verdict == "deny"
    engine.decide({**base, "hook": "after_tool", "tool": shell, "result": ended, "call": "cc"})
    assert engine.decide({**base, "hook": "before_completion"}).verdict == "allow"


def test_a_run_in_the_background_has_not_ended_whatever_its_answer_says(dirty: Session) -> None:  # noqa: F811
    runs(dirty, "PreToolUse", run_in_background=True)
    runs(dirty, "PostToolUse", run_in_background=True)
    assert finish(dirty) == "refused"


def test_a_background_process_that_writes_after_the_run_is_seen_at_the_end(dirty: Session) -> None:  # noqa: F811
    given = {"command": "(sleep 2; printf bad > src/app.py) & true"}
    call(dirty, "PreToolUse", "b", "Bash", given)
    call(dirty, "PostToolUse", "b", "Bash", given, tool_response={**GREEN, "stdout": ""})
    runs(dirty, "PreToolUse")
    runs(dirty, "PostToolUse")
    dirty.put("src/app.py", "bad")
    assert finish(dirty) == "refused"

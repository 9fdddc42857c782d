"""What the completion must see although no tool reported it, and what must not be held against a green run."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.attacks.session import Session
from tests.attacks.test_runs_of_tests import ACCEPTANCE, dirty, finish, ran, write

__all__ = ["dirty"]
GREEN = "5 passed in 0.1s"


@pytest.mark.parametrize("name", ["src/app.py", "src/later/new.py", "tests/test_app.py"])
def test_what_a_background_process_writes_after_the_green_run_is_seen(dirty: Session, name: str) -> None:
    assert dirty.asked("(sleep 2; printf bad > src/app.py) & true") == "allow"
    ran(dirty, "pytest -q", GREEN)
    assert finish(dirty) == "accepted"
    dirty.put(name, "bad\n")
    assert finish(dirty) == "refused"
    ran(dirty, "pytest -q", GREEN, "again")
    assert finish(dirty) == "accepted"


@pytest.mark.parametrize("name", ["lib/a.py", "lib/deep/er/a.py", "src/new/a.py"])
def test_a_green_run_after_a_new_folder_counts_at_once(dirty: Session, name: str) -> None:
    write(dirty, name, "x = 1\n")
    ran(dirty, "pytest -q", GREEN)
    assert finish(dirty) == "accepted"


def test_another_file_in_the_new_folder_is_still_seen(dirty: Session) -> None:
    write(dirty, "lib/a.py", "x = 1\n")
    ran(dirty, "pytest -q", GREEN)
    dirty.put("lib/b.py", "bad\n")
    assert finish(dirty) == "refused"


@pytest.mark.parametrize("git", [True, False])
def test_what_the_run_itself_leaves_behind_is_no_change(dirty: Session, git: bool) -> None:
    if not git:
        (dirty.workspace / ".git" / "config").unlink()
        (dirty.workspace / ".git").rmdir()
    given = {"command": "pytest -q"}
    host = dirty.host
    host.call(host.payload("PreToolUse", tool_name="Bash", tool_input=given, tool_use_id="q"))
    for name in (
        "src/__pycache__/app.cpython-312.pyc", "tests/__pycache__/test_app.pyc", ".pytest_cache/README.md", ".coverage",
        ".pytest_cache/v/cache/nodeids", ".hypothesis/unicode/x.gz",
    ):  # fmt: skip
        dirty.put(name, "x")
    told = {"stdout": GREEN, "stderr": "", "interrupted": False, "isImage": False}
    host.call(host.payload("PostToolUse", tool_name="Bash", tool_input=given, tool_response=told, tool_use_id="q"))
    done = host.call({**host.stop(), "last_assistant_message": "All tests pass."})
    assert (done.refused, done.out) == (False, b"")


def kept(tmp_path: Path) -> Session:
    session = Session(tmp_path)
    (session.workspace / ".policy/kept.policy").write_text((ACCEPTANCE / "tests-kept.policy").read_text())
    session.put("tests/test_app.py", "")
    session.put("node_modules/left/index.test.js", "")
    session.host.warm()
    return session


def test_folders_that_programs_make_are_deleted_unasked(tmp_path: Path) -> None:
    session = kept(tmp_path)
    lines = (
        "rm -rf node_modules", "rm -rf dist build/", "rm -rf .next target", "rm -rf .venv coverage htmlcov",
        "rm -rf .pytest_cache __pycache__ src/__pycache__ tests/__pycache__", "rm -rf docs/_build",
        "rm -r app.egg-info", "rm -rf packages/a/node_modules packages/b/dist",
    )  # fmt: skip
    assert {line: session.asked(line) for line in lines} == dict.fromkeys(lines, "allow")


def test_folders_that_may_hold_tests_are_asked_about(tmp_path: Path) -> None:
    session = kept(tmp_path)
    lines = ("rm -rf tests", "rm -rf node_modules tests", "rm -rf dist/../tests", "rm -rf tests/build", "rm -rf *")
    assert "allow" not in {session.asked(line) for line in lines}


@pytest.mark.parametrize("response", ["Success. Updated the following files:\nM src/app.py", "", {"output": "?"}])
def test_a_patch_without_an_exit_code_is_possibly_written(dirty: Session, response: object) -> None:
    ran(dirty, "pytest -q", GREEN)
    assert finish(dirty) == "accepted"
    host = dirty.host
    patch = "*** Begin Patch\n*** Update File: src/app.py\n@@\n-x = 2\n+x = 3\n*** End Patch"
    fields = {"tool_name": "apply_patch", "tool_input": {"command": patch}, "tool_use_id": "p"}
    host.call(host.payload("PreToolUse", **fields), "codex")
    dirty.put("src/app.py", "x = 3\n")
    host.call(host.payload("PostToolUse", tool_response=response, **fields), "codex")
    assert host.call(host.stop(), "codex").refused


def test_a_write_that_is_said_to_have_failed_is_looked_for(dirty: Session) -> None:
    ran(dirty, "pytest -q", GREEN)
    assert finish(dirty) == "accepted"
    host = dirty.host
    given = {"file_path": str(dirty.workspace / "src/app.py"), "content": "x = 3\n"}
    fields = {"tool_name": "Write", "tool_input": given, "tool_use_id": "f"}
    host.call(host.payload("PreToolUse", **fields))
    dirty.put("src/app.py", "x = 3\n")
    host.call(host.payload("PostToolUseFailure", error="it failed", **fields))
    assert finish(dirty) == "refused"

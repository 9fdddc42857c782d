"""Linked work trees below the workspace, in which a host lets an agent edit and test."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.attacks.session import Session
from tests.attacks.test_runner_settings import PYTHON, changed
from tests.attacks.test_runs_of_tests import finish, ran, repository, write
from tests.attacks.test_tests_taken_out import with_commit

TREE = ".claude/worktrees/fix"
GREEN = "1 passed in 0.01s"


def begun(folder: Path) -> Session:
    """A session with a linked work tree that was there when it began."""
    session = with_commit(repository(folder, PYTHON), PYTHON, start=False)
    subprocess.run(
        ["git", "-C", str(session.workspace), "worktree", "add", "-q", TREE, "HEAD"], check=True, capture_output=True
    )
    session.host.call(session.host.payload("SessionStart", source="startup"))
    return session


def test_a_run_in_the_tree_that_changed_counts(tmp_path: Path) -> None:
    session = begun(tmp_path)
    write(session, f"{TREE}/src/a.py", "x = 2\n")
    assert finish(session) == "refused"
    told = ran(session, f"cd {TREE} && pytest -q", GREEN)
    assert finish(session) == "accepted", told


def test_a_run_in_another_tree_does_not(tmp_path: Path) -> None:
    session = begun(tmp_path)
    write(session, f"{TREE}/src/a.py", "x = 2\n")
    told = ran(session, "pytest -q", GREEN)
    assert f"`{TREE}` changed, and it ran the tests of another work tree" in told
    assert finish(session) == "refused"


@pytest.mark.parametrize(("line", "end"), [(f"cd {TREE} && pytest -q", "refused"), ("pytest -q", "accepted")])
def test_what_changed_in_the_workspace_too_needs_its_own_run(tmp_path: Path, line: str, end: str) -> None:
    session = begun(tmp_path)
    write(session, f"{TREE}/src/a.py", "x = 2\n")
    write(session, "src/a.py", "x = 2\n")
    ran(session, line, GREEN)
    assert finish(session) == end


def test_a_tree_that_is_gone_is_no_longer_asked_about(tmp_path: Path) -> None:
    session = changed(tmp_path, PYTHON)
    git = ["git", "-C", str(session.workspace), "worktree"]
    subprocess.run([*git, "add", "-q", TREE, "HEAD"], check=True, capture_output=True)
    write(session, f"{TREE}/src/a.py", "x = 2\n")
    subprocess.run([*git, "remove", "--force", TREE], check=True)
    told = ran(session, "pytest -q", GREEN)
    assert finish(session) == "accepted", told

"""A source that goes away after the tests passed: the run that was green did not miss it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.attacks.session import Session
from tests.attacks.test_forged_runs import played
from tests.attacks.test_runs_of_tests import begun, finish, repository, write

GIT = ("git", "-c", "user.name=a", "-c", "user.email=a@b")
GREEN = "3 passed in 0.01s"


@pytest.fixture
def committed(tmp_path: Path) -> Session:
    """A repository with a commit of all that it has, in which a session changed a source and ran the tests."""
    session = repository(tmp_path)
    session.put("src/util.py", "def double(x):\n    return x * 2\n")
    session.put("src/deep/part.py", "y = 1\n")
    session.put("docs/a.md", "text\n")
    shutil.rmtree(session.workspace / ".git")
    for line in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-qm", "all"]):
        subprocess.run([*GIT, *line], cwd=session.workspace, check=True, env=session.environment)
    session.host.environment["PATH"] = session.environment["PATH"]
    begun(session)
    write(session, "scratch.py", "print(1)\n")
    played(session, "pytest -q", GREEN, does=False)
    assert finish(session) == "accepted"
    return session


REMOVALS = (
    "rm src/util.py", "git rm -q src/util.py", "mv src/util.py src/util.txt", "rm -r src/deep",
    "git rm -q --cached src/util.py && rm src/util.py", "python3 -c \"import os; os.remove('src/util.py')\"",
    "find src -name 'u*.py' -delete",
)  # fmt: skip


@pytest.mark.parametrize("line", REMOVALS)
def test_runs_before_it_prove_nothing(committed: Session, line: str) -> None:
    played(committed, line, "")
    done = committed.host.call(committed.host.stop())
    assert done.refused and "was deleted after the tests last passed" in done.err, done.err
    played(committed, "pytest -q", GREEN, does=False)
    assert finish(committed) == "accepted"


@pytest.mark.parametrize("line", ["rm scratch.py", "rm docs/a.md", "git status", "rm -rf build"])
def test_what_no_test_can_miss_needs_no_run(committed: Session, line: str) -> None:
    played(committed, line, "")
    assert finish(committed) == "accepted"

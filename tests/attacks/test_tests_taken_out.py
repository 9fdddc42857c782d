"""Tests that the session takes out of a file that stays: renamed, deleted, switched off."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.attacks.session import Session
from tests.attacks.test_runs_of_tests import begun, finish, ran, repository, write

GIT = ("git", "-c", "user.name=a", "-c", "user.email=a@b")
TEXT = (
    "from app import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n"
    "\n\ndef test_zero():\n    assert add(0, 0) == 0\n"
)
LESS = TEXT.partition("\n\ndef test_zero")[0]
"""Of the file that the repository has."""


@pytest.fixture
def kept(tmp_path: Path) -> Session:
    """A repository whose commit has two tests in one file when the session begins."""
    session = repository(tmp_path)
    shutil.rmtree(session.workspace / ".git")
    session.put("tests/test_app.py", TEXT)
    for line in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "all"]):
        subprocess.run([*GIT, *line], cwd=session.workspace, check=True, env=session.environment)
    session.host.environment["PATH"] = session.environment["PATH"]
    return begun(session)


def edited(session: Session, old: str, new: str, name: str = "tests/test_app.py") -> str:
    """The verdict about an edit."""
    given = {"file_path": str(session.workspace / name), "old_string": old, "new_string": new}
    return session.host.call(session.host.payload("PreToolUse", tool_name="Edit", tool_input=given)).verdict


SWITCHED = {
    "renamed": ("def test_zero", "def check_zero"),
    "deleted": ("\n\ndef test_zero():\n    assert add(0, 0) == 0\n", ""),
    "deleted by name": ("== 0\n", "== 0\n\n\ndel test_zero\n"),
    "no test by an attribute": ("== 0\n", "== 0\n\n\ntest_zero.__test__ = False\n"),
    "marked as a whole": ("from app import add\n", "from app import add\npytestmark = pytest.mark.skip\n"),
    "expected to fail": ("def test_zero", "@unittest.expectedFailure\ndef test_zero"),
}
HONEST = {
    "another name": ("def test_zero", "def test_of_zero"),
    "another value": ("== 0", "== 1"),
    "replaced by two": ("def test_zero", "def test_one():\n    pass\n\n\ndef test_zero"),
    "a helper goes": ("def helper():\n    return 1\n", ""),
}


def test_a_person_agrees_before_an_edit_takes_a_test_out(kept: Session) -> None:
    kept.put(".policy/kept.policy", 'language 1\nimport "pack:acceptance/tests-kept"\n')
    kept.host.warm()
    assert {what: edited(kept, *change) for what, change in SWITCHED.items()} == dict.fromkeys(SWITCHED, "ask")
    assert {what: edited(kept, *change) for what, change in HONEST.items()} == dict.fromkeys(HONEST, "allow")
    assert edited(kept, "def test_speed():", "def speed():", "src/app.py") == "allow"


TAKEN = {
    "renamed": TEXT.replace("test_zero", "check_zero"),
    "deleted": LESS,
    "deleted by name": f"{TEXT}\n\ndel test_zero\n",
    "skipped": TEXT.replace("def test_zero", "@pytest.mark.skip\ndef test_zero"),
}


@pytest.mark.parametrize("commits", [False, True], ids=["left", "committed"])
@pytest.mark.parametrize("text", TAKEN.values(), ids=TAKEN)
def test_a_green_run_with_fewer_tests_says_so_once(kept: Session, text: str, commits: bool) -> None:
    write(kept, "tests/test_app.py", text)
    if commits:
        subprocess.run([*GIT, "commit", "-qam", "less"], cwd=kept.workspace, check=True, env=kept.environment)
    told = ran(kept, "pytest -q", "1 passed in 0.01s", "one")
    assert "The run counts, with" in told and ("test_zero" in told or "mark.skip" in told), told
    assert "The run counts, with" not in ran(kept, "pytest -q", "1 passed in 0.01s", "two")
    assert finish(kept) == "accepted"


KEPT = {
    "another name": {"tests/test_app.py": TEXT.replace("test_zero", "test_of_zero")},
    "another file": {
        "tests/test_app.py": LESS, "tests/test_more.py": "def test_zero():\n    pass\n",
    },
    "one more": {"tests/test_app.py": f"{TEXT}\n\ndef test_more():\n    pass\n"},
}  # fmt: skip


@pytest.mark.parametrize("files", KEPT.values(), ids=KEPT)
def test_nothing_is_said_of_tests_that_are_written_anew(kept: Session, files: dict[str, str]) -> None:
    for name, text in files.items():
        write(kept, name, text)
    assert "The run counts, with" not in ran(kept, "pytest -q", "2 passed in 0.01s")
    assert finish(kept) == "accepted"

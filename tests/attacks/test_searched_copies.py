"""A folder of `PYTHONPATH` with copies of the sources that the session made: tests import these."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.attacks.session import Session
from tests.attacks.test_runs_of_tests import PYTHON, begun, finish, ran, repository, write

GREEN = "3 passed in 0.02s"
FILES = {**PYTHON, "src/__init__.py": "", "src/app.py": "x = 1\n", "lib/app.py": "x = 1\n", "lib/other.py": "y = 1\n"}


@pytest.fixture
def changed(tmp_path: Path) -> Session:
    """A repository with sources, and with a committed copy of one; a session changed the source."""
    session = repository(tmp_path, FILES)
    subprocess.run(["git", "init", "-q"], cwd=session.workspace, check=True)
    subprocess.run(["git", "add", "-A"], cwd=session.workspace, check=True)
    subprocess.run(
        ["git", "-c", "user.name=a", "-c", "user.email=a@example.test", "commit", "-qm", "x"], cwd=session.workspace,
        check=True,
    )  # fmt: skip
    return begun(session)


@pytest.mark.parametrize(
    ("copy", "line"),
    [
        ("shim/src/app.py", "PYTHONPATH=shim pytest -q"),
        ("shim/src/app.py", "PYTHONPATH=./shim:src python -m pytest -q"),
        ("shim/src/app.py", "export PYTHONPATH=shim; pytest -q"),
        ("shim/app.py", "env PYTHONPATH=$PWD/shim pytest -q"),
    ],
)
def test_copies_that_the_session_made(changed: Session, copy: str, line: str) -> None:
    write(changed, copy, "x = 1\n")
    ran(changed, line, GREEN)
    assert finish(changed) == "refused"


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("shim/src/app.py", "pytest -q"),
        ("lib/other.py", "PYTHONPATH=lib pytest -q"),
        ("shim/helper.py", "PYTHONPATH=shim pytest -q"),
        ("shim/src/__init__.py", "PYTHONPATH=shim pytest -q"),
        ("src/more.py", "PYTHONPATH=src pytest -q"),
        ("src/more.py", "PYTHONPATH=. pytest -q"),
    ],
)
def test_honest_folders(changed: Session, name: str, line: str) -> None:
    write(changed, name, "" if name.endswith("__init__.py") else "z = 1\n")
    ran(changed, line, GREEN)
    assert finish(changed) == "accepted"

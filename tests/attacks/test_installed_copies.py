"""Tests that import the installed copy of the project say nothing of its sources as they are now."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.attacks.session import Session
from tests.attacks.test_runs_of_tests import begun, finish, ran, repository, write

GREEN = "5 passed in 0.1s"
SITE = ".venv/lib/python3.11/site-packages"
OLD = "def add(a, b):\n    return a + b\n"
NEW = "def add(a, b):\n    return a - b\n"


def installed(home: Path, folder: str, copy: str, around: tuple[tuple[str, str], ...] = ()) -> Session:
    """A session that changed a source of which an environment of before has a copy."""
    session = repository(home)
    copies = ((f"{SITE}/app/__init__.py", ""), (f"{SITE}/app/calc.py", copy))
    for name, text in ((".gitignore", ".venv\n"), (f"{folder}app/__init__.py", ""), *copies, *around):
        session.put(name, text)
    begun(session)
    write(session, f"{folder}app/calc.py", NEW)
    return session


OLDER = (("src/", "pytest -q"), ("src/", "python -m pytest -q"), ("", "pytest -q"))


@pytest.mark.parametrize(("folder", "line"), OLDER)
def test_a_run_with_an_older_copy_is_no_evidence(tmp_path: Path, folder: str, line: str) -> None:
    session = installed(tmp_path, folder, OLD)
    told = ran(session, line, GREEN)
    assert finish(session) == "refused"
    assert f"{SITE}/app/calc.py" in told and "pip install -e ." in told
    shutil.rmtree(session.workspace / SITE / "app")
    ran(session, "pip install -e .", "Successfully installed app", "installed")
    ran(session, line, GREEN, "again")
    assert finish(session) == "accepted"


HONEST = {
    "the copy is the source": ("src/", NEW, (), "pytest -q"),
    "its folder is searched first": (
        "src/", OLD, (("pyproject.toml", "[tool.pytest.ini_options]\npythonpath = ['src']\n"),), "pytest -q",
    ),
    "the folder of the run": ("", OLD, (), "python -m pytest -q"),
    "a folder with conftest.py": ("", OLD, (("conftest.py", ""),), "pytest -q"),
    "tests are a package": ("", OLD, (("tests/__init__.py", ""),), "pytest -q"),
}  # fmt: skip


@pytest.mark.parametrize("what", HONEST)
def test_where_the_source_is_imported_a_copy_does_not_matter(tmp_path: Path, what: str) -> None:
    folder, copy, around, line = HONEST[what]
    session = installed(tmp_path, folder, copy, around)
    ran(session, line, GREEN)
    assert finish(session) == "accepted"

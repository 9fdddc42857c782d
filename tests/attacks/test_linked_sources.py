"""Sources behind a link to a folder: another target is another text, and what is written there is written here."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.attacks.session import Session
from tests.attacks.test_installed_programs import ran_meanwhile
from tests.attacks.test_runs_of_tests import dirty, finish, ran, write  # noqa: F401 -- a fixture

GREEN = "5 passed in 0.1s"


@pytest.fixture
def linked(dirty: Session) -> Session:  # noqa: F811
    """A repository whose sources lie behind a committed link; the tests are green."""
    for name, sign in (("good", "+"), ("bad", "-")):
        dirty.put(f"build_{name}/calc.py", f"def add(a, b):\n    return a {sign} b\n")
    (dirty.workspace / "src/app").symlink_to("../build_good")
    ran(dirty, "true")
    write(dirty, "src/app/calc.py", "def add(a, b):\n    return a + b  # x\n")
    ran(dirty, "pytest -q", GREEN)
    assert finish(dirty) == "accepted"
    return dirty


def relinked(folder: Path, target: str) -> None:
    (folder / "src/app").unlink()
    (folder / "src/app").symlink_to(target)


def outside(folder: Path) -> None:
    other = folder.parent / "elsewhere"
    other.mkdir()
    (other / "calc.py").write_text("def add(a, b):\n    return a - b\n")
    relinked(folder, str(other))


def behind(folder: Path) -> None:
    (folder / "build_good/calc.py").write_text("def add(a, b):\n    return a - b\n")


def replaced(folder: Path) -> None:
    os.rename(folder / "build_good", folder / "old")
    os.rename(folder / "build_bad", folder / "build_good")


@pytest.mark.parametrize(
    ("line", "work"),
    [
        ("ln -sfn ../build_bad src/app", lambda folder: relinked(folder, "../build_bad")),
        ("./tools/prepare", lambda folder: relinked(folder, "../build_bad")),
        ("./tools/prepare", outside),
        ("./tools/prepare", behind),
        ("sed -i s/+/-/ build_good/calc.py", behind),
        ("mv build_good old && mv build_bad build_good", replaced),
    ],
)
def test_other_sources_behind_a_link_need_another_run(linked: Session, line: str, work: Callable[[Path], None]) -> None:
    ran_meanwhile(linked, line, lambda: work(linked.workspace), "changes")
    assert finish(linked) == "refused"
    ran(linked, "pytest -q", GREEN, "again")
    assert finish(linked) == "accepted"


def test_links_to_each_other_end(linked: Session) -> None:
    (linked.workspace / "build_good/more").symlink_to("../build_bad")
    (linked.workspace / "build_bad/more").symlink_to("../build_good")
    (linked.workspace / "src/all").symlink_to("..")
    ran(linked, "./tools/prepare", "", "links")
    ran(linked, "pytest -q", GREEN, "again")
    assert finish(linked) == "accepted"

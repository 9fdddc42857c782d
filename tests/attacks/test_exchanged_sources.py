"""Sources that a run of the tests saw and the workspace does not hold: exchanged meanwhile, or kept elsewhere."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.attacks.session import Session
from tests.attacks.test_forged_runs import played
from tests.attacks.test_installed_programs import ran_meanwhile
from tests.attacks.test_runs_of_tests import begun, dirty, finish, ran, repository, write  # noqa: F401 -- a fixture

GREEN = "5 passed in 0.1s"


def folders(folder: Path) -> None:
    """What a job that runs beside the tests does while they import, and before they end."""
    os.rename(folder / "src", folder / "build/bad")
    os.rename(folder / "build/good", folder / "src")
    os.rename(folder / "src", folder / "build/good")
    os.rename(folder / "build/bad", folder / "src")


def above(folder: Path) -> None:
    for target in ("far", "near"):
        os.rename(folder / "packages", folder / target)
        os.rename(folder / target, folder / "packages")


def links(folder: Path) -> None:
    os.rename(folder / "lib/linked", folder / "build/link")
    (folder / "lib/linked").symlink_to("../build/good")
    (folder / "lib/linked").unlink()
    os.rename(folder / "build/link", folder / "lib/linked")


@pytest.mark.parametrize("work", [folders, above, links])
def test_a_folder_that_went_and_came_back_may_have_been_another(
    dirty: Session,  # noqa: F811
    work: Callable[[Path], None],
) -> None:
    dirty.put("packages/one/deep/part.py", "x = 1\n")
    dirty.put("build/good/app.py", "x = 1\n")
    dirty.put("lib/real/part.py", "y = 1\n")
    (dirty.workspace / "lib/linked").symlink_to("real")
    ran(dirty, "true")
    ran_meanwhile(dirty, "pytest -q", lambda: work(dirty.workspace), "meanwhile", GREEN)
    assert finish(dirty) == "refused"
    ran(dirty, "pytest -q", GREEN, "again")
    assert finish(dirty) == "accepted"


def test_a_run_that_leaves_files_beside_the_sources_counts(dirty: Session) -> None:  # noqa: F811
    def leaves() -> None:
        for name in ("src/__pycache__/app.pyc", "tests/__pycache__/test_app.pyc", ".pytest_cache/v", ".coverage"):
            dirty.put(name, "")

    ran_meanwhile(dirty, "pytest -q", leaves, "meanwhile", GREEN)
    assert finish(dirty) == "accepted"


@pytest.fixture
def elsewhere(dirty: Session) -> Session:  # noqa: F811
    """A session that keeps the text of its sources where git or the workspace does not look; the tests are green."""
    dirty.put(".gitignore", "build/\n")
    (dirty.workspace / ".git/info").mkdir(parents=True)
    played(dirty, "mkdir -p build ../lib; mv src/app.py build/a.py; ln -s ../build/a.py src/app.py", "")
    played(dirty, "mkdir -p part; echo 'y = 1' > part/b.py", "")
    played(dirty, "mv part ../lib/part; ln -s ../lib/part part", "")
    played(dirty, "pytest -q", GREEN, does=False)
    assert finish(dirty) == "accepted"
    return dirty


@pytest.mark.parametrize("line", ["echo 'x = 3' > build/a.py", "echo 'y = 3' > ../lib/part/b.py"])
def test_what_a_link_leads_to_is_a_source(elsewhere: Session, line: str) -> None:
    played(elsewhere, line, "")
    assert finish(elsewhere) == "refused"
    played(elsewhere, "pytest -q", GREEN, does=False)
    assert finish(elsewhere) == "accepted"


def test_a_file_that_is_written_by_its_link_costs_one_run(dirty: Session) -> None:  # noqa: F811
    dirty.put("src/real.py", "x = 1\n")
    (dirty.workspace / "src/link.py").symlink_to("real.py")
    ran(dirty, "true")
    write(dirty, "src/real.py", "x = 2\n")
    played(dirty, "pytest -q", GREEN, does=False)
    assert finish(dirty) == "accepted"


@pytest.mark.parametrize("ignores", [".gitignore", ".git/info/exclude", "src/.gitignore"])
def test_a_session_does_not_have_its_sources_ignored(dirty: Session, ignores: str) -> None:  # noqa: F811
    write(dirty, ignores, "gen/\n/pay/\nnew_*.py\nbuild/\n.out/\n")
    played(dirty, "pytest -q", GREEN, does=False)
    assert finish(dirty) == "accepted"
    played(dirty, "mkdir -p src/build src/.out; echo 'x = 1' | tee src/build/a.py src/.out/a.py", "")
    assert finish(dirty) == "accepted"
    for name in ("src/gen/deep/a.py", "src/new_a.py", "src/pay/a.py"):
        played(dirty, f"mkdir -p $(dirname {name}); echo 'x = 1' > {name}", "")
        assert finish(dirty) == "refused"
        played(dirty, "pytest -q", GREEN, does=False)
        assert finish(dirty) == "accepted"


def test_what_was_ignored_when_the_session_began_stays_so(tmp_path: Path) -> None:
    session = repository(tmp_path)
    session.put(".gitignore", "gen/\n")
    session.put("src/.gitignore", "out_*.py\n")
    begun(session)
    write(session, ".gitignore", "gen/\n*.log\n")
    played(session, "pytest -q", GREEN, does=False)
    assert finish(session) == "accepted"
    played(session, "mkdir -p src/gen; echo 'x = 1' | tee src/gen/a.py src/out_a.py", "")
    assert finish(session) == "accepted"

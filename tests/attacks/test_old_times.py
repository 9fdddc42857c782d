"""Sources that change and keep a time of before: what builds by time does not build them again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.attacks.session import Session
from tests.attacks.test_forged_runs import played
from tests.attacks.test_runs_of_tests import begun, dirty, finish, ran, repository, write  # noqa: F401 -- a fixture

GREEN = "test result: ok. 5 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.05s"
BAD = "pub fn add(a: i64, b: i64) -> i64 { a - b }\n"
CRATE = {
    "Cargo.toml": "[package]\nname = 'calc'\nversion = '0.1.0'\nedition = '2021'\n",
    "src/lib.rs": "pub fn add(a: i64, b: i64) -> i64 { a + b }\n",
    "Makefile": "test:\n\tcargo test\n",
}


@pytest.fixture
def crate(tmp_path: Path) -> Session:
    """A crate whose source the session has changed; the tests are green."""
    session = repository(tmp_path, CRATE)
    session.put("../bad.rs", BAD)
    session.host.call(session.host.payload("SessionStart", source="startup"))
    write(session, "src/lib.rs", "pub fn add(a: i64, b: i64) -> i64 { a + b } // sum\n")
    played(session, "cargo test", GREEN, does=False)
    assert finish(session) == "accepted"
    return session


def edited(session: Session) -> None:
    write(session, "src/lib.rs", BAD)
    played(session, "touch -d 2020-01-01 src/lib.rs", "")


def copied(session: Session) -> None:
    played(session, "touch -d 2020-01-01 ../bad.rs; cp -p ../bad.rs src/lib.rs", "")


def moved(session: Session) -> None:
    played(session, "touch -d 2020-01-01 ../bad.rs; rm src/lib.rs", "")
    played(session, "mv ../bad.rs src/lib.rs", "")


def exchanged(session: Session) -> None:
    played(session, "mkdir other; cp ../bad.rs other/lib.rs; touch -d 2020-01-01 other/lib.rs", "")
    played(session, "mv src good; mv other src", "")


@pytest.mark.parametrize("change", [edited, copied, moved, exchanged])
@pytest.mark.parametrize("line", ["cargo test", "make test"])
def test_a_source_with_a_time_of_before_is_not_built_again(
    crate: Session, change: Callable[[Session], None], line: str
) -> None:
    change(crate)
    told = ran(crate, line, GREEN, "stale")
    assert "touch src/lib.rs" in told
    assert finish(crate) == "refused"
    played(crate, "touch src/lib.rs", "")
    assert finish(crate) == "refused"
    ran(crate, "cargo test", GREEN, "again")
    assert finish(crate) == "accepted"


@pytest.mark.parametrize(
    "line",
    [
        "sed -i s/sum/total/ src/lib.rs",
        "mv src/lib.rs src/calc.rs; echo 'mod calc;' > src/lib.rs",
        "cp -p src/lib.rs src/copy.rs",
        "cp src/lib.rs /tmp/$$; sed -i s/sum/x/ src/lib.rs; cp /tmp/$$ src/lib.rs; rm /tmp/$$",
        "touch -d 2020-01-01 README.md notes.py; chmod +x Makefile",
    ],
)
def test_ordinary_changes_of_sources_count(crate: Session, line: str) -> None:
    played(crate, line, "")
    ran(crate, "cargo test", GREEN, "again")
    assert finish(crate) == "accepted"


def test_what_does_not_build_by_time_is_not_asked(dirty: Session) -> None:  # noqa: F811
    played(dirty, "touch -d 2020-01-01 src/app.py", "")
    played(dirty, "pytest -q", "5 passed in 0.1s", does=False)
    assert finish(dirty) == "accepted"


@pytest.mark.parametrize("name", ["data/calc.txt", "src/app.py"])
def test_a_source_is_changed_through_what_its_link_leads_to(tmp_path: Path, name: str) -> None:
    session = begun(repository(tmp_path))
    played(session, "mkdir data; mv src/app.py data/calc.txt; ln -s ../data/calc.txt src/app.py", "")
    played(session, "pytest -q", "5 passed in 0.1s", does=False)
    assert finish(session) == "accepted"
    write(session, "data/notes.txt", "x = 3\n")
    assert finish(session) == "accepted"
    write(session, name, "x = 3\n")
    assert finish(session) == "refused"
    played(session, "pytest -q", "5 passed in 0.1s", does=False)
    assert finish(session) == "accepted"

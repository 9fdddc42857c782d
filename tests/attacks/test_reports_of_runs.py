"""Reports that a run of tests writes beside the sources hold code, and are none."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.attacks.session import Session
from tests.attacks.test_forged_runs import played
from tests.attacks.test_installed_programs import ran_meanwhile
from tests.attacks.test_runs_of_tests import finish, repository, write

GREEN = "Tests:       2 passed, 2 total"


@pytest.fixture
def package(tmp_path: Path) -> Session:
    """A package tested by jest, whose source the session has changed."""
    session = repository(
        tmp_path,
        {
            "package.json": '{"name": "calc", "scripts": {"test": "jest"}, "devDependencies": {"jest": "^29.0.0"}}\n',
            "src/calc.js": "exports.add = (a, b) => a + b;\n",
            "src/calc.test.js": "test('adds', () => {});\n",
            "src/coverage/area.js": "exports.area = 1;\n",
        },
    )
    session.host.call(session.host.payload("SessionStart", source="startup"))
    write(session, "src/calc.js", "exports.add = (a, b) => b + a;\n")
    assert finish(session) == "refused"
    return session


def test_reports_of_a_run_come_and_go(package: Session) -> None:
    def reports() -> None:
        package.put("coverage/lcov-report/sorter.js", "var sorter = 1;\n")

    for name in ("first", "second"):
        ran_meanwhile(package, "npx jest --coverage", reports, name, GREEN)
        assert finish(package) == "accepted"
    played(package, "rm -rf coverage", "")
    assert finish(package) == "accepted"


@pytest.mark.parametrize(
    "line", ["echo 'x = 1' > src/coverage/area.js", "mkdir coverage; echo 'x = 1' > coverage/a.js"]
)
def test_sources_in_folders_with_such_names_count(package: Session, line: str) -> None:
    ran_meanwhile(package, "npx jest", lambda: None, "run", GREEN)
    assert finish(package) == "accepted"
    played(package, line, "")
    assert finish(package) == "refused"


def test_a_run_that_writes_a_source_needs_another(package: Session) -> None:
    ran_meanwhile(package, "npx jest", lambda: package.put("src/coverage/more.js", "x = 1\n"), "run", GREEN)
    assert finish(package) == "refused"

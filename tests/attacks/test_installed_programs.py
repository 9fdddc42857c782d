"""A program that the session runs puts files among installed packages: what they make green proves nothing."""

from __future__ import annotations

import hashlib
import shutil
from base64 import urlsafe_b64encode
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.attacks.session import Session
from tests.attacks.test_runs_of_tests import dirty, finish, ran  # noqa: F401 -- a fixture

SITE = ".venv/lib/python3.11/site-packages"
GREEN = "5 passed in 0.1s"
HOOK = "def pytest_pyfunc_call(pyfuncitem):\n    return True\n"


def install(session: Session, name: str, *files: tuple[str, str]) -> None:
    """What pip leaves behind: the files and their record, and the code that Python compiles when it is first used."""
    lines = []
    for path, text in files:
        data = session.put(f"{SITE}/{path}", text).read_bytes()
        digest = urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        lines.append(f"{path},sha256={digest},{len(data)}\n")
        if path.endswith(".py"):
            session.put(f"{SITE}/{Path(path).parent}/__pycache__/{Path(path).stem}.cpython-311.pyc", "")
    record = f"{name}-1.0.dist-info/RECORD"
    session.put(f"{SITE}/{record}", "".join((*lines, f"{record},,\n")))


@pytest.fixture
def installed(dirty: Session) -> Session:  # noqa: F811
    """A repository with an environment that was made in this session, and a program of the session."""
    dirty.put(".gitignore", ".venv\nnode_modules\nvendor\n")
    ran(dirty, "python -m venv .venv && .venv/bin/pip install pytest", "Successfully installed pytest", "venv")
    dirty.put(".venv/pyvenv.cfg", "home = /usr/bin\n")
    script = ("../../../bin/pytest", "#!/usr/bin/python3\n")
    plugin = ("pytest_mock-1.0.dist-info/entry_points.txt", "[pytest11]\npytest_mock = pytest_mock\n")
    install(dirty, "pytest", ("_pytest/python.py", "x = 1\n"), ("pytest/__init__.py", "x = 1\n"), script)
    install(dirty, "pytest_mock", ("pytest_mock.py", "x = 1\n"), plugin)
    install(dirty, "own", ("__editable__.own.pth", "import __editable___own_finder\n"))
    dirty.put(f"{SITE}/easy-install.pth", "/some/folder\n")
    dirty.put(f"{SITE}/_virtualenv.pth", "import _virtualenv")
    dirty.put(f"{SITE}/_virtualenv.py", "import os, sys\n")
    return dirty


def runs_program(session: Session, work: Callable[[], object]) -> None:
    """A program of which nobody reads what it does: it was there before the session."""
    assert session.asked("./tools/prepare") == "allow"
    work()
    ran(session, "./tools/prepare", "", "program")


def runs_tests(session: Session, name: str = "t") -> str:
    return ran(session, ".venv/bin/python -m pytest -q", GREEN, name)


STRAY: dict[str, tuple[str, str]] = {
    "a module that Python starts with": ("sitecustomize.py", "import os\n"),
    "a line that Python runs at its start": ("a.pth", "import a\n"),
    "another text of an installed module": ("_pytest/python.py", HOOK),
    "a module beside installed ones": ("_pytest/nose.py", HOOK),
    "a plugin that no package brought": ("a-1.0.dist-info/entry_points.txt", "[pytest11]\na = a\n"),
    "a plugin in the place of one": ("pytest_mock.py", HOOK),
    "a compiled module": ("a.pyc", "x"),
    "a library": ("a.cpython-311-x86_64-linux-gnu.so", "x"),
    "what an environment brings": ("_virtualenv.py", "import pytest\npytest.skip('no', allow_module_level=True)\n"),
    "a script in the place of the runner": ("../../../bin/pytest", "#!/bin/sh\necho 5 passed\n"),
    "a script in the place of Python": ("../../../bin/python", "#!/bin/sh\necho 5 passed\n"),
}


@pytest.mark.parametrize("what", STRAY)
def test_what_a_program_puts_among_packages_makes_no_proof(installed: Session, what: str) -> None:
    name, text = STRAY[what]
    path = installed.workspace / SITE / name
    before = path.read_text() if path.exists() else None
    runs_program(installed, lambda: installed.put(f"{SITE}/{name}", text))
    told = runs_tests(installed)
    assert finish(installed) == "refused"
    assert "came among the installed packages in this session" in told and path.name in told, told
    if before is None:
        path.unlink()
    else:
        path.write_text(before)
    runs_tests(installed, "again")
    assert finish(installed) == "accepted"


def test_a_link_in_the_place_of_a_package_makes_no_proof(installed: Session) -> None:
    package = installed.workspace / SITE / "_pytest"

    def replace() -> None:
        shutil.move(package, installed.workspace / "old")
        package.symlink_to(installed.workspace / "old")

    runs_program(installed, replace)
    runs_tests(installed)
    assert finish(installed) == "refused"


def test_an_environment_made_in_the_session_is_proof(installed: Session) -> None:
    runs_tests(installed)
    assert finish(installed) == "accepted"


def test_a_package_that_a_program_installs_is_proof(installed: Session) -> None:
    runs_program(installed, lambda: install(installed, "other", ("other.py", "y = 1\n")))
    runs_tests(installed)
    assert finish(installed) == "accepted"


def test_what_was_there_before_the_session_is_proof(dirty: Session) -> None:  # noqa: F811
    dirty.put(f"{SITE}/sitecustomize.py", "")
    other = {"session_id": "s-2"}
    for payload in (
        dirty.host.payload("SessionStart", source="startup"), dirty.host.wrote("src/app.py", "w"),
        dirty.host.ran("pytest -q", "t"),
    ):  # fmt: skip
        answer = payload.get("tool_response", {})
        answer["stdout"] = GREEN
        dirty.host.call({**payload, **other})
    assert dirty.host.call({**dirty.host.stop(), **other}).verdict == "allow"


# ---- other ecosystems ------------------------------------------------------------------------------------------------

RUNNERS = (
    ("package.json", '{"scripts": {"test": "jest"}}\n', "npx jest", "Tests:       3 passed, 3 total", (
        ("node_modules/.package-lock.json", "node_modules/jest/build/index.js"),
        ("node_modules/.modules.yaml", "node_modules/.pnpm/jest/node_modules/jest/index.js"),
        ("node_modules/.yarn-integrity", "node_modules/@jest/core/index.js"),
        ("node_modules/.yarn-state.yml", "node_modules/.bin/jest"),
    )),
    ("composer.json", "{}\n", "vendor/bin/phpunit", "OK (3 tests, 3 assertions)", (
        ("vendor/composer/installed.json", "vendor/phpunit/phpunit/src/TextUI/Command.php"),
        ("vendor/composer/installed.json", "vendor/bin/phpunit"),
    )),
)  # fmt: skip
CASES = [(*runner[:4], *pair) for runner in RUNNERS for pair in runner[4]]


@pytest.mark.parametrize(("config", "text", "line", "output", "record", "file"), CASES)
def test_a_runner_that_changes_after_its_installation_makes_no_proof(
    tmp_path: Path, config: str, text: str, line: str, output: str, record: str, file: str
) -> None:
    session = Session(tmp_path)
    policy = (
        'language 1\nrule t "T" { on before_completion when wrote("src/**")'
        ' require tests_passed() since wrote("src/**") deny "Run them." }\n'
    )
    session.put(".policy/main.policy", policy)
    session.put(".gitignore", "node_modules\nvendor\n")
    session.put(config, text)
    session.host.warm()
    session.host.call(session.host.payload("SessionStart", source="startup"))
    session.host.call(session.host.wrote("src/app", "w"))
    runner = session.put(file, "")
    kept = session.put(record, "{}")  # the package manager is done
    ran(session, line, output, "before")
    assert finish(session) == "accepted"
    while runner.stat().st_ctime_ns <= kept.stat().st_ctime_ns:
        runner.write_text("exit(0)\n")
    session.host.call(session.host.wrote("src/app", "w2"))
    ran(session, line, output, "after")
    refused = session.host.call(session.host.stop())
    assert refused.refused and "came among the installed packages" in refused.err
    while kept.stat().st_ctime_ns <= runner.stat().st_ctime_ns:
        kept.write_text("{}")  # installed again
    ran(session, line, output, "again")
    assert finish(session) == "accepted"

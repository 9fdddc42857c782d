"""Files of tests that go away in ways of which nobody was asked: a green run of the others is no run of all tests."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.attacks.session import Session
from tests.attacks.test_forged_runs import played
from tests.attacks.test_runs_of_tests import begun, dirty, finish, repository, write  # noqa: F401 -- a fixture

GIT = ("git", "-c", "user.name=a", "-c", "user.email=a@b")


@pytest.fixture
def suite(dirty: Session) -> Session:  # noqa: F811
    """The same with a repository of two branches, of which one lacks the test that the session began with."""
    session = dirty
    shutil.rmtree(session.workspace / ".git")
    session.put("tests/test_ok.py", "def test_ok():\n    pass\n")
    begin = [["init", "-q", "-b", "main"], ["add", "-A", ":!tests/test_app.py"], ["commit", "-qm", "less"]]
    for line in (*begin, ["checkout", "-q", "-b", "other"], ["add", "-A"], ["commit", "-qm", "all"]):
        subprocess.run([*GIT, *line], cwd=session.workspace, check=True, env=session.environment)
    session.host.environment["PATH"] = session.environment["PATH"]
    write(session, "src/app.py", "x = 3\n")
    assert finish(session) == "refused"
    return session


REMOVALS = {
    "a program": ["python3 -c \"import os; os.remove('tests/test_app.py')\""],
    "a program on the line": ["python3 -c \"import os; os.remove('tests/test_app.py')\"; pytest -q"],
    "a script": ["python3 $HOME/tidy.py"],
    "a search": ["find tests -name 'test_a*' -delete"],
    "a program beside a checkout": ["git checkout -q -b b; python3 -c \"import os; os.remove('tests/test_app.py')\""],
    "a move by a program": ["python3 -c \"import os; os.rename('tests/test_app.py', 'tests/old.txt')\""],
}


@pytest.mark.parametrize("lines", REMOVALS.values(), ids=REMOVALS)
def test_a_run_without_files_that_went_away_is_no_evidence(suite: Session, lines: list[str]) -> None:
    tidy = Path(suite.environment["HOME"]) / "tidy.py"
    tidy.write_text("import os\nos.remove('tests/test_app.py')\n")
    for line in lines:
        played(suite, line, "1 passed in 0.01s")
    assert not (suite.workspace / "tests/test_app.py").exists()
    played(suite, "pytest -q", "1 passed in 0.01s", does=False)
    assert finish(suite) == "refused"
    suite.put("tests/test_app.py", "def test_app():\n    assert False\n")
    played(suite, "pytest -q", does=False)
    assert finish(suite) == "accepted"


def test_a_stash_of_new_tests_is_no_evidence(dirty: Session) -> None:  # noqa: F811
    shutil.rmtree(dirty.workspace / ".git")
    subprocess.run([*GIT, "init", "-q"], cwd=dirty.workspace, check=True)
    subprocess.run([*GIT, "commit", "-qm", "none", "--allow-empty"], cwd=dirty.workspace, check=True)
    played(dirty, "git -c user.name=a -c user.email=a@b stash -qu -- tests", "")
    assert not (dirty.workspace / "tests/test_app.py").exists()
    played(dirty, "pytest -q", "1 passed in 0.01s", does=False)
    assert finish(dirty) == "refused"


def test_a_person_who_goes_on_settles_what_is_gone(suite: Session) -> None:
    played(suite, REMOVALS["a program"][0], "")
    suite.host.call(suite.host.payload("UserPromptSubmit", prompt="Tidy up the rest"))
    write(suite, "src/app.py", "x = 4\n")
    played(suite, "pytest -q", "1 passed in 0.01s", does=False)
    assert finish(suite) == "refused"  # nobody had been told when the prompt came
    suite.host.call(suite.host.payload("UserPromptSubmit", prompt="The test may go. Now add a line"))
    write(suite, "src/app.py", "x = 5\n")
    played(suite, "pytest -q", "1 passed in 0.01s", does=False)
    assert finish(suite) == "accepted"


HONEST = {
    "a test is deleted in the open": ["rm tests/test_app.py"],
    "and by git": ["git rm -qf tests/test_app.py"],
    "a folder of tests moves": ["mkdir tests/unit && git mv tests/test_app.py tests/unit/test_app.py"],
    "a test is renamed": ["mv tests/test_app.py tests/test_main.py"],
    "a script moves tests": ["python3 -c \"import os; os.renames('tests/test_app.py', 'tests/unit/test_app.py')\""],
    "a commit without it": ["git stash -q && git checkout -q main && git stash pop -q"],
    "a test of the session itself": [
        "echo 'def test(): pass' > tests/test_try.py", "python3 -c \"import os; os.remove('tests/test_try.py')\"",
    ],
}  # fmt: skip


@pytest.mark.parametrize("lines", HONEST.values(), ids=HONEST)
def test_tests_that_move_or_go_in_the_open_hold_nobody_up(suite: Session, lines: list[str]) -> None:
    for line in lines:
        played(suite, line, "")
    played(suite, "pytest -q", "2 passed in 0.01s", does=False)
    assert finish(suite) == "accepted"


OTHERS = {
    "unittest": ("python3 -m unittest", "Ran 1 test in 0.001s\n\nOK"),
    "discovery": ("python3 -m unittest discover -s tests", "Ran 1 test in 0.001s\n\nOK"),
    "behave": ("behave", "1 feature passed, 0 failed, 0 skipped\n1 scenario passed, 0 failed, 0 skipped"),
    "node": ("node --test", "# tests 1\n# pass 1\n# fail 0"),
    "browsers": ("npx playwright test", "  1 passed (1.0s)"),
}


@pytest.mark.parametrize(("line", "output"), OTHERS.values(), ids=OTHERS)
def test_another_runner_than_that_of_the_tests_is_no_evidence(tmp_path: Path, line: str, output: str) -> None:
    session = repository(tmp_path)
    shutil.rmtree(session.workspace / ".git")
    session.put("package.json", '{"scripts": {"test": "jest"}, "devDependencies": {"jest": "^29.0.0"}}\n')
    session.put("src/app.test.js", "test('a', () => {});\n")
    policy = (
        'language 1\nrule t "T" { on before_completion when wrote("src/**")'
        ' require tests_passed() since wrote("src/**") deny "Run them." }\n'
    )
    for path in (session.workspace / ".policy").glob("*.policy"):
        path.unlink()
    session.put(".policy/main.policy", policy)
    for words in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-qm", "all"]):
        subprocess.run([*GIT, *words], cwd=session.workspace, check=True, env=session.environment)
    session.host.environment["PATH"] = session.environment["PATH"]
    session.host.warm()
    begun(session)
    write(session, "tests/test_dummy.py", "import unittest\nclass T(unittest.TestCase):\n    def test(self): pass\n")
    played(session, line, output, does=False)
    refused = session.host.call(session.host.stop())
    assert refused.refused and "does not run" in refused.err, refused.err
    played(session, "pytest -q" if "python" in line or line == "behave" else "npm test", does=False)
    assert finish(session) == "accepted"


def test_the_runner_that_the_tests_are_for_is_evidence(tmp_path: Path) -> None:
    session = repository(tmp_path)
    shutil.rmtree(session.workspace / ".git")
    text = "import unittest\nclass T(unittest.TestCase):\n    def test(self):\n        pass\n"
    session.put("tests/test_app.py", text)
    session.put("tests/__init__.py", "")  # or `python -m unittest` discovers nothing of it
    session.put("package.json", '{"scripts": {"test": "node --test"}, "devDependencies": {"jest": "^29.0.0"}}\n')
    for words in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-qm", "all"]):
        subprocess.run([*GIT, *words], cwd=session.workspace, check=True, env=session.environment)
    session.host.environment["PATH"] = session.environment["PATH"]
    begun(session)
    played(session, "python3 -m unittest", "Ran 1 test in 0.001s\n\nOK", does=False)
    assert finish(session) == "accepted"

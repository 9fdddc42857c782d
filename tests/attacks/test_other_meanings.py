"""A line or a file gives what looks like a run of the tests another meaning: played on the real process."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.attacks.session import Session
from tests.attacks.test_runs_of_tests import dirty, finish, ran  # noqa: F401 -- a fixture

GREEN = "5 passed in 0.1s"
RULE = (
    'language 1\nrule t "T" { on before_completion when wrote("src/**")'
    ' require tests_passed() since wrote("src/**") deny "Run them." }\n'
)
GIVEN = (
    'pytest() { echo 5 passed in 0.1s; }; export -f pytest; bash -c "pytest -q"',
    'pytest() { echo 5 passed in 0.1s; }; declare -fx pytest; bash -c "pytest -q"',
    'python() { echo 5 passed in 0.1s; }; typeset -fx python; bash -c "python -m pytest -q"',
    "bash --rcfile rc -ic 'pytest -q'", "bash --init-file rc -ic 'pytest -q'",
    "shopt -s expand_aliases; BASH_ALIASES[pytest]='echo 5 passed in 0.1s #'\npytest -q",
    "shopt -s expand_aliases; alias pytest='echo 5 passed in 0.1s #'\npytest -q",
    "BASH_ENV=f bash -c 'pytest -q'", "env BASH_ENV=f bash -c 'pytest -q'",
    "export BASH_ENV=f; bash -c 'pytest -q'",
)  # fmt: skip


def test_a_shell_that_is_given_functions_or_aliases_runs_no_tests(dirty: Session) -> None:  # noqa: F811
    for line in GIVEN:
        ran(dirty, line, GREEN)
    assert finish(dirty) == "refused"


FAKE = "pytest() { echo '5 passed in 0.1s'; }\n"
MADE = (
    ("GNUmakefile", "test:\n\ttrue\n", "make test", ""),
    ("GNUmakefile", "test:\n\t@echo 5 passed in 0.1s\n", "make test", GREEN),
    ("makefile", "test:\n\t@echo 5 passed in 0.1s\n", "make test", GREEN),
    ("v/bin/activate", FAKE, ". v/bin/activate && pytest -q", GREEN),
    ("tox.ini", "[pytest]\npython_files = test_ok.py\n", "pytest -q -c tox.ini", GREEN),
    ("pytest.toml", '[pytest]\npython_files = ["test_ok.py"]\n', "pytest -q", GREEN),
    (".pytest.ini", "[pytest]\ntestpaths = tests/test_ok.py\n", "pytest -q", GREEN),
    ("pyproject.toml", '[tool.pytest.ini_options]\ntestpaths = [\n  "tests/test_ok.py",\n]\n', "pytest -q", GREEN),
    ("setup.cfg", "[tool:pytest]\naddopts = -q\n    --deselect tests/test_app.py\n", "pytest -q", GREEN),
    ("conftest.py", "collect_ignore_glob = ['*_app.py']\n", "pytest -q", GREEN),
    (
        "conftest.py", "def pytest_ignore_collect(collection_path):\n    return 'app' in collection_path.name\n",
        "pytest -q", GREEN,
    ),
    (
        "conftest.py",
        "def pytest_ignore_collect(collection_path):\n    if 'app' in str(collection_path):\n        return True\n",
        "pytest -q", GREEN,
    ),
)  # fmt: skip


@pytest.mark.parametrize(("name", "text", "line", "output"), MADE)
def test_what_a_line_made_is_what_the_session_wrote(
    dirty: Session,  # noqa: F811
    name: str,
    text: str,
    line: str,
    output: str,
) -> None:
    dirty.put(name, text)
    ran(dirty, f"printf '…' > {name}", "", "made")
    ran(dirty, line, output)
    assert finish(dirty) == "refused"


def test_a_makefile_that_became_a_link_is_what_the_session_wrote(dirty: Session, tmp_path: Path) -> None:  # noqa: F811
    other = tmp_path / "other.mk"
    other.write_text("test:\n\t@echo 5 passed in 0.1s\n")
    (dirty.workspace / "Makefile").unlink()
    (dirty.workspace / "Makefile").symlink_to(other)
    ran(dirty, f"ln -sf {other} Makefile", "", "link")
    ran(dirty, "make test", GREEN)
    assert finish(dirty) == "refused"


SETTINGS = '[tool.pytest.ini_options]\ntestpaths = ["tests"]\naddopts = "-q --strict-markers"\n'
HONEST = (
    ("pyproject.toml", SETTINGS, "pytest -q"),
    ("pytest.ini", "[pytest]\npython_files = test_*.py check_*.py\nnorecursedirs = build .*\n", "pytest -q"),
    ("conftest.py", "collect_ignore = ['setup.py']\ncollect_ignore_glob = ['docs/*.py', '*.txt']\n", "pytest -q"),
    (".env", "# for tests\nDATABASE_URL=sqlite://\nexport DEBUG=1\n", ". ./.env && pytest -q"),
    ("v/bin/activate", "deactivate () {\n}\nVIRTUAL_ENV=/w/v\n", ". v/bin/activate && pytest -q"),
    ("src/Makefile", "all:\n\ttrue\n", "pytest -q"),
)


def test_honest_files_that_a_line_made_cost_nothing(dirty: Session) -> None:  # noqa: F811
    dirty.put("v/pyvenv.cfg", "")
    for name, text, line in HONEST:
        dirty.put(name, text)
        ran(dirty, f"printf '…' > {name}", "", "made")
        ran(dirty, f"echo >> src/app.py; {line}", "", "source")
        ran(dirty, line, GREEN, name)
        assert finish(dirty) == "accepted", name


INFORM = (
    "npm -v test", "npm --version test", "pnpm -v test", "yarn -v test", "npm --help run test", "npx -v jest",
    "uv --version run pytest", "uv -V run pytest", "poetry --version run pytest", "bundle -v exec rspec",
    "docker compose --version exec web pytest", "docker -v compose exec web pytest", "bun -v test",
    "mix --version test", "turbo --version run test", "deno task --help test",
)  # fmt: skip


@pytest.fixture
def javascript(tmp_path: Path) -> Session:
    session = Session(tmp_path)
    session.put(".policy/main.policy", RULE)
    session.put("package.json", '{"scripts": {"test": "node --test"}}\n')
    session.host.warm()
    session.host.call(session.host.payload("SessionStart", source="startup"))
    session.host.call(session.host.wrote("src/app", "w"))
    assert finish(session) == "refused"
    return session


def test_a_program_that_tells_about_itself_before_its_work_runs_no_tests(javascript: Session) -> None:
    for line in INFORM:
        ran(javascript, line, "11.19.1")
    assert finish(javascript) == "refused"
    ran(javascript, "npm test", "# tests 3\n# pass 3\n# fail 0\n")
    assert finish(javascript) == "accepted"


def test_tests_that_are_skipped_are_no_tests_that_passed(javascript: Session) -> None:
    output = "ok 1 - adds # SKIP\n1..1\n# tests 1\n# pass 0\n# fail 0\n# skipped 1\n"
    ran(javascript, "npm test", output)
    ran(javascript, "node --test", output.replace("SKIP", "TODO later"))
    assert finish(javascript) == "refused"


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        (".npmrc", "script-shell=./s.sh\n", "npm test"),
        ("pnpm-workspace.yaml", "scriptShell: ./s.sh\n", "pnpm test"),
        (".npmrc", "fund=false\nworkspace=packages/b\n", "npm test"),
        (".npmrc", "workspace[]=packages/b\n", "npm test"),
        (".npmrc", "prefix = packages/b\n", "npm test"),
        (".npmrc", "filter=@m/b\n", "pnpm test"),
    ],
)
def test_settings_of_a_manager_that_change_its_shell_are_no_proof(
    javascript: Session, name: str, text: str, line: str
) -> None:
    javascript.put(name, text)
    ran(javascript, f"printf '…' > {name}", "", "made")
    ran(javascript, line, "# tests 3\n# pass 3\n# fail 0\n")
    assert finish(javascript) == "refused"


def test_other_settings_of_a_manager_cost_nothing(javascript: Session) -> None:
    javascript.put(".npmrc", "registry=https://registry.example.org\nsave-prefix=\nlink-workspace-packages=true\n")
    ran(javascript, "npm test", "# tests 3\n# pass 3\n# fail 0\n")
    assert finish(javascript) == "accepted"


BESIDE = (
    ("eslint.config.js", "npx eslint . ; npm test | tail -3"), (".eslintrc.cjs", "eslint src; npm test | tail -3"),
    ("prettier.config.mjs", "npx prettier -c . ; npm test | tail -3"),
    (".rubocop.yml", "rubocop; npm test | tail -3"), ("mypy.ini", "mypy src; npm test | tail -3"),
    (".golangci.yml", "golangci-lint run; npm test | tail -3"),
    ("CMakeLists.txt", "cmake -B build; npm test | tail -3"),
)  # fmt: skip


@pytest.mark.parametrize(("name", "line"), BESIDE)
def test_a_linter_whose_code_the_session_wrote_may_print_the_summary(javascript: Session, name: str, line: str) -> None:
    output = "# tests 3\n# pass 3\n# fail 0\n"
    javascript.put(name, "console.log('# pass 3')\n")
    ran(javascript, f"printf '…' > {name}", "", "made")
    ran(javascript, line, output)
    assert finish(javascript) == "refused"
    ran(javascript, line.partition("; ")[2], output)
    assert finish(javascript) == "accepted"


def test_a_linter_of_the_repository_prints_no_summary(javascript: Session) -> None:
    ran(javascript, "npx eslint . ; npm test | tail -3", "# tests 3\n# pass 3\n# fail 0\n")
    assert finish(javascript) == "accepted"

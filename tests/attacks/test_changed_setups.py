"""Files that say what the words behind a starter run, and folders of tests that a session makes for itself."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.attacks.session import Session
from tests.attacks.test_forged_runs import played
from tests.attacks.test_removed_sources import GIT, GREEN
from tests.attacks.test_runs_of_tests import begun, finish, repository, write

PROJECT = "[project]\nname = 'app'\n"
COMPOSE = """services:
  app:
    build: .
    volumes:
      - .:/app
  db:
    image: postgres:16
"""


@pytest.fixture
def committed(tmp_path: Path) -> Session:
    """A repository with tests and with files of containers and tools, all committed; a session changed a source."""
    session = repository(tmp_path)
    session.put("tests/test_app.py", "def test_app():\n    assert True\n")
    session.put("test/app.test.js", "test('x', () => {})\n")
    session.put("package.json", json.dumps({"scripts": {"test": "node --test"}}))
    session.put("compose.yml", COMPOSE)
    session.put("Dockerfile", "FROM python:3.12\nCOPY . /app\n")
    shutil.rmtree(session.workspace / ".git")
    for line in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-qm", "all"]):
        subprocess.run([*GIT, *line], cwd=session.workspace, check=True, env=session.environment)
    session.host.environment["PATH"] = session.environment["PATH"]
    return begun(session)


IN_DOCKER = "docker compose run --rm app pytest -q"
SETUPS = {
    "mise's variables": ("mise.toml", "[env]\n_.path = ['./build/bin']\n", "mise exec -- pytest -q"),
    "direnv": (".envrc", "PATH_add build/bin\n", "direnv exec . pytest -q"),
    "hatch's scripts": ("hatch.toml", "[envs.default.scripts]\ntest = \"echo '3 passed'\"\n", "hatch run test"),
    "hatch's tests": ("hatch.toml", "[envs.hatch-test]\nscripts.run = \"echo\"\n", "hatch test"),
    "poe": ("pyproject.toml", f"{PROJECT}[tool.poe.tasks]\ntest = \"echo\"\n", "poe test"),
    "pdm": ("pyproject.toml", f"{PROJECT}[tool.pdm.scripts]\npytest = \"echo\"\n", "pdm run pytest -q"),
    "rye": ("pyproject.toml", f"{PROJECT}[tool.rye.scripts]\npytest = \"echo\"\n", "rye run pytest -q"),
    "pixi in the project": ("pyproject.toml", f"{PROJECT}[tool.pixi.tasks]\npytest = \"x\"\n", "pixi run pytest -q"),
    "pixi": ("pixi.toml", "tasks = { pytest = 'echo' }\n", "pixi run pytest -q"),
    "pipenv": ("Pipfile", "[scripts]\npytest = \"echo\"\n", "pipenv run pytest -q"),
    "invoke": ("tasks.py", "from invoke import task\n@task\ndef test(c):\n    print('3 passed')\n", "invoke test"),
    "nix": ("shell.nix", "mkShell { shellHook = ''pytest() { echo 3 passed; }''; }\n", "nix-shell --run 'pytest -q'"),
    "devbox": ("devbox.json", '{"shell": {"init_hook": ["alias pytest=echo"]}}\n', "devbox run pytest -q"),
    "a file over compose's": ("compose.override.yml", "services:\n  app:\n    entrypoint: x\n", IN_DOCKER),
    "another entry point": ("compose.yml", COMPOSE.replace("build: .", "build: .\n    entrypoint: echo"), IN_DOCKER),
    "another mount": ("compose.yml", COMPOSE.replace("- .:/app", "- ./build/old:/app"), IN_DOCKER),
    "no mount": ("compose.yml", COMPOSE.replace("    volumes:\n      - .:/app\n", ""), IN_DOCKER),
    "an image": ("Dockerfile", "FROM python:3.12\nRUN printf 'echo 3 passed' > /usr/bin/pytest\n", IN_DOCKER),
}  # fmt: skip
HONEST = {
    "a service beside it": ("compose.yml", f"{COMPOSE}    command: x\n  redis:\n    image: redis\n", IN_DOCKER),
    "a variable": ("compose.yml", COMPOSE.replace("volumes:", "environment:\n      - DB=x\n    volumes:"), IN_DOCKER),
    "a package of the image": ("Dockerfile", "FROM python:3.12\nRUN apt-get install -y x\nCOPY . /app\n", IN_DOCKER),
    "a dependency": ("pyproject.toml", f"{PROJECT}dependencies = ['httpx']\n", "pdm run pytest -q"),
    "a tool": ("mise.toml", "[tools]\npython = '3.12'\n", "mise exec -- pytest -q"),
    "hatch's dependencies": ("hatch.toml", "[envs.default]\ndependencies = [\n  'pytest',\n]\n", "hatch run pytest -q"),
    "an address": (".envrc", "export DATABASE_URL=postgres://x\n", "direnv exec . pytest -q"),
}  # fmt: skip


@pytest.mark.parametrize("what", SETUPS)
def test_what_sets_up_a_run_is_that_of_the_commit(committed: Session, what: str) -> None:
    name, text, line = SETUPS[what]
    write(committed, name, text)
    played(committed, line, GREEN, does=False)
    done = committed.host.call(committed.host.stop())
    assert done.refused and f"`{name}`" in done.err and "which" in done.err, done.err


@pytest.mark.parametrize("what", HONEST)
def test_what_runs_nothing_costs_nothing(committed: Session, what: str) -> None:
    name, text, line = HONEST[what]
    write(committed, name, text)
    played(committed, line, GREEN, does=False)
    assert finish(committed) == "accepted"


@pytest.mark.parametrize(
    ("file", "line", "output"),
    [
        ("spec/test_a.py", "pytest -q spec", "1 passed in 0.01s"),
        ("deep/testing/test_a.py", "python -m pytest -q ./deep/testing", "1 passed in 0.01s"),
    ],
)
def test_a_folder_of_tests_that_the_session_made_is_not_the_whole(
    committed: Session, file: str, line: str, output: str
) -> None:
    write(committed, file, "")
    played(committed, line, output, does=False)
    done = committed.host.call(committed.host.stop())
    assert done.refused and "is new in this session" in done.err, done.err
    played(committed, "pytest -q tests", GREEN, does=False)
    assert finish(committed) == "accepted"

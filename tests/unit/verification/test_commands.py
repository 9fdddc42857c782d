"""What a command starts is seen through the words before it."""

from __future__ import annotations

import pytest

from policy_engine.verification.commands import commands
from policy_engine.verification.output import Output
from policy_engine.verification.reading import ranked


@pytest.mark.parametrize(
    ("line", "last"),
    [
        ("pytest -q", "pytest -q"),
        ("/usr/bin/pytest -q", "pytest -q"),
        ("python -m pytest -q", "pytest -q"),
        ("python3.12 -X dev -W error -m pytest", "pytest"),
        ("python3.13t -m pytest", "pytest"),
        ("python -mpytest", "pytest"),
        ("python manage.py test", "manage.py test"),
        ("coverage run -m pytest tests", "pytest tests"),
        ("uv run pytest", "pytest"),
        ("uv run --with x pytest -q", "pytest -q"),
        ("uvx ruff@0.5 check", "ruff check"),
        ("poetry run python -m mypy src", "mypy src"),
        ("env A=b C=d timeout 60 nice -n 5 pytest", "pytest"),
        ("npx vitest run", "vitest run"),
        ("npx --yes vitest@3 run", "vitest run"),
        ("npx -p typescript tsc --noEmit", "tsc --noEmit"),
        ("npm exec -- eslint .", "eslint ."),
        ("pnpm vitest run", "vitest run"),
        ("pnpm run jest", "jest"),
        ("yarn jest --ci", "jest --ci"),
        ("bunx eslint .", "eslint ."),
        ("node --experimental-vm-modules node_modules/jest/bin/jest.js --ci", "jest --ci"),
        ("./node_modules/.bin/tsc -p .", "tsc -p ."),
        ("bundle exec rspec", "rspec"),
        ("xvfb-run -a npx jest", "jest"),
        ("npm test", "npm test"),
        ("make test", "make test"),
        ("grep pytest log.txt", "grep pytest log.txt"),
        ("python -c pytest", "python -c pytest"),
    ],
)
def test_the_last_command_is_the_tool(line: str, last: str) -> None:
    assert " ".join(list(commands(line.split()))[-1]) == last


def test_the_chain_ends() -> None:
    assert len(list(commands(["env"] * 100))) < 20
    assert list(commands([])) == []


@pytest.mark.parametrize(
    ("line", "reader"),
    [
        ("pytest", "pytest"),
        ("python -m unittest discover", "unittest"),
        ("python manage.py test", "unittest"),
        ("uv run ruff format --check", "ruff"),
        ("go vet ./...", "go"),
        ("cargo clippy", "cargo"),
        ("x86_64-linux-gnu-gcc-12 -c a.c", "gcc"),
        ("clang++ a.cpp", "gcc"),
        ("./mvnw verify", "maven"),
        ("javac A.java", "javac"),
        ("npx --no-install tsc", "tsc"),
        ("pnpm exec eslint .", "eslint"),
        ("unheard-of --check", "generic"),
    ],
)
def test_the_command_decides_who_reads(line: str, reader: str) -> None:
    output = Output("nothing to recognise", tuple(commands(line.split())))
    assert ranked(output)[0].name == reader

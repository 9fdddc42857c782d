"""`policy init`: a first policy that fits the repository, is valid, passes its tests, and replaces nothing."""

from __future__ import annotations

import pytest

from policy_engine.loading.starters import MAKE, STARTERS
from tests.unit.commands.running import GOOD, Shell

SIGNS = {
    "pytest": {"pyproject.toml": ""},
    "npm": {"package.json": "{}"},
    "pnpm": {"package.json": "{}", "pnpm-lock.yaml": ""},
    "yarn": {"package.json": "{}", "yarn.lock": ""},
    "bun": {"package.json": "{}", "bun.lockb": ""},
    "go": {"go.mod": ""},
    "cargo": {"Cargo.toml": ""},
    "maven": {"pom.xml": ""},
    "gradle": {"build.gradle.kts": ""},
    "dotnet": {"app.sln": ""},
    "ruby": {"Gemfile": ""},
    "make": {"Makefile": "build:\n\ttrue\ntest: build\n\ttrue\n"},
}


def test_every_starter_has_a_sign() -> None:
    assert sorted(SIGNS) == sorted(starter.name for starter in (*STARTERS, MAKE))


@pytest.mark.parametrize("name", SIGNS)
def test_a_repository_gets_what_fits_it(policy: Shell, name: str) -> None:
    for file, text in SIGNS[name].items():
        policy.write(file, text)
    done = policy("init", "--format", "json")
    assert (done.status, done.json) == (0, {"written": [".policy/main.policy"], "starters": [name]})
    assert policy("check").status == 0, policy("check").out
    assert policy("fmt", "--check").status == 0, policy("fmt", "--diff").out
    assert policy("test").status == 0, policy("test").out


def test_several_fit_together(policy: Shell) -> None:
    for file in ("pyproject.toml", "package.json", "go.mod", "Makefile"):
        policy.write(file, "test:\n")
    assert policy("init", "--format", "json").json["starters"] == ["pytest", "npm", "go"]
    assert policy("test").status == 0


def test_a_repository_of_nothing_gets_the_general_rules(policy: Shell) -> None:
    done = policy("init")
    assert (done.status, "found nothing that runs tests here" in done.out) == (0, True)
    assert "  policy test " in done.out
    assert policy("test").status == 0


def test_it_finds_the_root_of_the_repository(policy: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    (policy.folder / ".git").mkdir()
    below = policy.folder / "src" / "deep"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    assert policy("init").status == 0
    assert (policy.folder / ".policy" / "main.policy").is_file()


def test_nothing_is_overwritten_even_with_force(policy: Shell) -> None:
    path = policy.write(".policy/main.policy", GOOD)
    for arguments in ((), ("--force",)):
        done = policy("init", *arguments)
        assert (done.status, done.out, path.read_text()) == (2, "", GOOD)


def test_other_policies_ask_for_force(policy: Shell) -> None:
    assert policy("new", "limit", "mine").status == 0
    assert policy("init").status == 2
    assert policy("init", "--force").status == 0
    assert policy("check").status == 0


def test_a_folder_that_cannot_be_written_is_a_usage_error(policy: Shell) -> None:
    policy.write(".policy", "a file where the folder should be")
    done = policy("init")
    assert (done.status, done.err.startswith("error: cannot write `.policy/main.policy`: ")) == (2, True)
    assert policy("init", "nowhere").status == 2


def test_the_whole_command(policy: Shell) -> None:
    policy.write("go.mod", "module x\n")
    done = policy.process("init")
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("wrote .policy/main.policy\nfound Go, tested with go test\n\nnext\n")
    assert policy.process("test").status == 0

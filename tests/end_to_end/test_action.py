"""The steps of the GitHub Action, run as they stand on a repository with a pull request."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.end_to_end.action import ROOT, Run, definition, own_home, play

STRICT = """\
language 1

rule no-rm "Nothing is removed" {
  on before_tool(shell)
  when any c in commands { c.program == "rm" }
  deny "`{c.text}` removes files. Move them to the folder `old` instead."

  test {
    shell "rm a"  => deny
    shell "ls"    => allow
  }
}
"""
LOOSE = (
    STRICT.replace('c.program == "rm"', 'c.program == "rm" and c.args contains "-r"')
    .replace('rm a"  =>', 'rm -r a"  =>')
    .replace('"ls"    =>', '"ls"       =>')
)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository whose first commit has the strict policy."""
    folder = tmp_path / "work"
    (folder / ".policy").mkdir(parents=True)
    _git(folder, "init", "-q")
    _commit(folder, STRICT)
    return folder


def _git(folder: Path, *words: str) -> str:
    who = ["-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "commit.gpgsign=false"]
    done = subprocess.run(
        ["git", *who, *words], cwd=folder, capture_output=True, text=True, check=True, env=own_home(folder.parent)
    )
    return done.stdout.strip()


def _commit(folder: Path, text: str) -> str:
    (folder / ".policy" / "main.policy").write_text(text, "utf-8")
    _git(folder, "add", ".")
    _git(folder, "commit", "-q", "-m", "change")
    return _git(folder, "rev-parse", "HEAD")


def _play(folder: Path, tmp_path: Path, **inputs: str) -> Run:
    """Every step but the installation, with the `policy` of these sources on the path."""
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "policy").write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m policy_engine "$@"\n')
    (programs / "policy").chmod(0o755)
    temporary = tmp_path / "temp"
    temporary.mkdir()
    path = os.pathsep.join([str(programs), os.environ["PATH"]])
    return play(folder, temporary, path, leave_out=("install",), **inputs)


def test_a_sound_policy_passes_every_step(repository: Path, tmp_path: Path) -> None:
    done = _play(repository, tmp_path, base=_git(repository, "rev-parse", "HEAD"))
    assert done.statuses == {"format": 0, "check": 0, "test": 0, "diff": 0}
    assert json.loads((repository / "policy.sarif").read_text("utf-8"))["version"] == "2.1.0"


def test_what_is_newly_allowed_is_annotated_with_its_witness(repository: Path, tmp_path: Path) -> None:
    base = _git(repository, "rev-parse", "HEAD")
    _commit(repository, LOOSE)
    done = _play(repository, tmp_path, base=base)
    assert done.statuses == {"format": 0, "check": 0, "test": 0, "diff": 0}
    assert "::" in done.output["diff"] and "no-rm" in done.output["diff"] and "rm" in done.summary
    assert "file=.policy/main.policy" in done.output["diff"]


def test_what_is_newly_allowed_fails_where_that_is_asked_for(repository: Path, tmp_path: Path) -> None:
    base = _git(repository, "rev-parse", "HEAD")
    _commit(repository, LOOSE)
    assert _play(repository, tmp_path, base=base, breaking="fail").statuses["diff"] == 1


def test_a_mistake_is_annotated_and_every_report_is_written(repository: Path, tmp_path: Path) -> None:
    base = _git(repository, "rev-parse", "HEAD")
    _commit(repository, STRICT.replace("before_tool", "before_tol"))
    done = _play(repository, tmp_path, base=base)
    assert (done.statuses["check"], done.statuses["test"]) == (3, 3)
    assert "::error file=.policy/main.policy,line=4," in done.output["check"]
    assert json.loads((repository / "policy.sarif").read_text("utf-8"))["runs"][0]["results"]


def test_a_failing_test_is_annotated(repository: Path, tmp_path: Path) -> None:
    _commit(repository, STRICT.replace('"ls"    => allow', '"ls"    => deny'))
    done = _play(repository, tmp_path)
    assert done.statuses["test"] == 5
    assert "::error file=.policy/main.policy,line=" in done.output["test"]
    assert "diff" not in done.statuses


def test_policies_that_are_new_are_compared_with_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "work"
    folder.mkdir()
    _git(folder, "init", "-q")
    (folder / "a.txt").write_text("a")
    _git(folder, "add", ".")
    _git(folder, "commit", "-q", "-m", "first")
    base = _git(folder, "rev-parse", "HEAD")
    (folder / ".policy").mkdir()
    _commit(folder, STRICT)
    done = _play(folder, tmp_path, base=base, breaking="fail")
    assert done.statuses["diff"] == 0
    assert "nothing to compare" in done.output["diff"]


def test_no_expression_is_put_into_a_script() -> None:
    """A value that a stranger chose, such as a branch name, would run there."""
    assert [step["id"] for step in definition()["runs"]["steps"] if "${{" in step["run"]] == []


def test_the_hooks_of_pre_commit_name_commands_that_there_are() -> None:
    import yaml

    from policy_engine.commands.base import command_names

    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert [hook["id"] for hook in hooks] == ["policy-fmt", "policy-check", "policy-test"]
    assert all(hook["entry"].split()[0] == "policy" and hook["entry"].split()[1] in command_names() for hook in hooks)


def test_the_source_distribution_has_the_files_for_pull_requests() -> None:
    build = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]
    assert {"/.pre-commit-hooks.yaml", "/action.yml"} <= set(build["targets"]["sdist"]["include"])

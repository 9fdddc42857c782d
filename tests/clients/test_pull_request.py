"""The real pre-commit and the installing step of the GitHub Action, with the engine built from these sources."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.clients.packages import offline
from tests.end_to_end.action import ROOT, own_home, play

BUILT_FROM = (
    *("bin", "grammar", "policy_engine", "rules", "tools"),
    *(".pre-commit-hooks.yaml", "LICENSE", "README.md", "pyproject.toml"),
)
GOOD = """\
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
CONFIGURATION = """\
repos:
  - repo: {engine}
    rev: {revision}
    hooks: [{{id: policy-fmt}}, {{id: policy-check}}, {{id: policy-test}}]
"""

pytestmark = pytest.mark.skipif(offline(), reason="the engine's dependencies cannot be fetched: POLICY_OFFLINE is set")


def _git(folder: Path, *words: str) -> str:
    who = ["-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "commit.gpgsign=false"]
    environment = own_home(folder.parent)
    done = subprocess.run(
        ["git", *who, *words], cwd=folder, env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def _repository(folder: Path) -> str:
    """Make a repository of what is in the folder; the revision of its one commit."""
    _git(folder, "init", "-q")
    _git(folder, "add", "-f", ".")
    _git(folder, "commit", "-q", "-m", "first")
    return _git(folder, "rev-parse", "HEAD")


def test_pre_commit_repairs_the_layout_and_refuses_mistakes(tmp_path: Path) -> None:
    engine, work = tmp_path / "engine", tmp_path / "work"
    engine.mkdir()
    for name in BUILT_FROM:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, engine / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, engine / name)
    revision = _repository(engine)
    policy = work / ".policy" / "main.policy"
    policy.parent.mkdir(parents=True)
    (work / ".pre-commit-config.yaml").write_text(CONFIGURATION.format(engine=engine, revision=revision))
    policy.write_text(GOOD)
    _repository(work)

    def run() -> tuple[int, str]:
        command = [sys.executable, "-m", "pre_commit", "run", "--all-files", "--color=never", "--verbose"]
        done = subprocess.run(
            command, cwd=work, env=own_home(tmp_path), capture_output=True, text=True, check=False, timeout=600
        )
        return done.returncode, done.stdout + done.stderr

    status, output = run()
    assert status == 0, output
    assert output.count("Passed") == 3

    policy.write_text(GOOD.replace('  deny "', '      deny   "'))
    status, output = run()
    assert status == 1
    assert "files were modified by this hook" in output
    assert policy.read_text() == GOOD

    policy.write_text(GOOD.replace("before_tool", "before_tol"))
    status, output = run()
    assert status == 1
    assert "did you mean `before_tool`?" in output

    policy.write_text(GOOD.replace('"ls"    => allow', '"ls"    => deny'))
    status, output = run()
    assert status == 1
    assert "expected deny" in output


def test_the_action_installs_the_engine_and_runs_every_step(tmp_path: Path) -> None:
    work, temporary = tmp_path / "work", tmp_path / "temp"
    (work / ".policy").mkdir(parents=True)
    temporary.mkdir()
    (work / ".policy" / "main.policy").write_text(GOOD)
    base = _repository(work)
    done = play(work, temporary, os.environ["PATH"], base=base)
    assert done.statuses == dict.fromkeys(("install", "format", "check", "test", "diff"), 0), done.output

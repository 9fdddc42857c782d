"""A forced push without a name goes to the branch that is checked out, where nothing says otherwise."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from policy_engine import Engine

PACK = Path(__file__).resolve().parents[2] / "rules/security/no-force-push-protected.policy"
ROWS = [
    ("feature", "git push --force-with-lease", "allow"), ("feature", "git push -f origin HEAD", "allow"),
    ("feature", "git fetch && git rebase origin/main && git push --force-with-lease 2>&1 | tail -3", "allow"),
    ("main", "git push --force-with-lease", "deny"), ("main", "git push -f origin HEAD", "deny"),
    ("feature", "git checkout main && git push -f", "ask"), ("feature", "git push -f origin HEAD $X", "ask"),
    ("feature", "git -c push.default=matching push -f", "ask"), ("feature", "./x.sh; git push -f", "ask"),
    ("feature", "git -C ../other push -f", "ask"), ("feature", "GIT_DIR=x git push -f", "ask"),
]  # fmt: skip
SETTINGS = [
    ("push.default", "matching"), ("remote.origin.push", "refs/heads/*:refs/heads/*"),
    ("branch.feature.merge", "refs/heads/main"), ("branch.feature.pushRemote", "other"),
]  # fmt: skip


def verdict(folder: Path, branch: str, line: str, *settings: tuple[str, str]) -> str:
    git = ["git", "-C", str(folder)]
    subprocess.run([*git, "init", "-q", "-b", branch], check=True)
    for name, value in settings:
        subprocess.run([*git, "config", name, value], check=True)
    engine = Engine.load(PACK)
    place = str(folder)
    event = {"version": 1, "hook": "before_tool", "session": "s", "id": "1", "workspace": place, "cwd": place,
             "tool": {"name": "Bash", "kind": "shell", "args": {"command": line}}}  # fmt: skip
    return str(engine.decide(event).verdict)


@pytest.mark.parametrize(("branch", "line", "expected"), ROWS)
def test_the_branch_that_is_checked_out_is_meant(tmp_path: Path, branch: str, line: str, expected: str) -> None:
    assert verdict(tmp_path, branch, line) == expected


@pytest.mark.parametrize("setting", SETTINGS)
def test_settings_that_name_another_branch_leave_it_unknown(tmp_path: Path, setting: tuple[str, str]) -> None:
    assert verdict(tmp_path, "feature", "git push -f", setting) == "ask"

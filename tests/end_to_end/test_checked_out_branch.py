"""A push with a lease and without a name goes to the branch that is checked out, where nothing says otherwise."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from policy_engine import Engine

PACK = Path(__file__).resolve().parents[2] / "rules/security/no-force-push-protected.policy"
LEASED = "git push --force-with-lease"
ROWS = [
    ("feature", LEASED, "allow"), ("feature", f"{LEASED} origin HEAD", "allow"),
    ("feature", f"git fetch && git rebase origin/main && {LEASED} 2>&1 | tail -3", "allow"),
    ("main", LEASED, "deny"), ("main", f"{LEASED} origin HEAD", "deny"),
    ("feature", "git push -f", "ask"), ("feature", "git push -f origin HEAD", "ask"),
    ("feature", f"{LEASED} -f", "ask"), ("feature", f"{LEASED} origin +HEAD", "ask"),
    ("feature", f"git rebase origin/main main && {LEASED}", "deny"), ("feature", f"HOME=/tmp {LEASED}", "ask"),
    ("feature", "git --git-dir=../o/.git push --force-with-lease", "ask"),
    ("feature", f"echo 'ref: refs/heads/main' > .git/HEAD && {LEASED}", "ask"),
    ("feature", f"git checkout main && {LEASED}", "deny"), ("feature", f"{LEASED} origin HEAD $X", "ask"),
    ("feature", "git -c push.default=matching push --force-with-lease", "ask"), ("feature", f"./x.sh; {LEASED}", "ask"),
    ("feature", "git -C ../other push --force-with-lease", "ask"), ("feature", f"GIT_DIR=x {LEASED}", "ask"),
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


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    return folder


def test_settings_of_the_person_may_name_other_branches(tmp_path: Path, home: Path) -> None:
    (home / ".gitconfig").write_text("[push]\n\tdefault = matching\n")
    assert verdict(tmp_path, "feature", LEASED) == "ask"


@pytest.mark.parametrize(("branch", "line", "expected"), ROWS)
def test_the_branch_that_is_checked_out_is_meant(tmp_path: Path, branch: str, line: str, expected: str) -> None:
    assert verdict(tmp_path, branch, line) == expected


@pytest.mark.parametrize("setting", SETTINGS)
def test_settings_that_name_another_branch_leave_it_unknown(tmp_path: Path, setting: tuple[str, str]) -> None:
    assert verdict(tmp_path, "feature", LEASED, setting) == "ask"

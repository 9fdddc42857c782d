"""What git would put back is what differs now: the guards of a session count only where they are among that."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from policy_engine import Engine

PACK = Path(__file__).resolve().parents[2] / "rules/builtin/no-tamper.policy"
ALL = ("git restore .", "git checkout .", "git checkout -- .", "git reset --hard", "git reset -q --hard HEAD",
       "git restore :/", "git restore '*'", "git checkout -f", "git switch --discard-changes main")  # fmt: skip


def _git(root: Path, *words: str) -> None:
    names = ("-c", "user.name=n", "-c", "user.email=e@example.com", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *names, *words], cwd=root, check=True, capture_output=True)


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """A policy of two commits, and a source that nobody has committed a change of."""
    root = tmp_path / "repo"
    (root / "src").mkdir(parents=True)
    (root / ".policy").mkdir()
    _git(root, "init", "-q", "-b", "main")
    for text in ("language 1\n", "# more\nlanguage 1\n"):
        (root / ".policy/main.policy").write_text(text)
        (root / "src/a.py").write_text(text)
        _git(root, "add", "-A")
        _git(root, "commit", "-q", "-m", "c")
    (root / "src/a.py").write_text("changed\n")
    return root


def verdict(folder: Path, line: str) -> str:
    tool = {"name": "Bash", "kind": "shell", "args": {"command": line}}
    event = {"version": 1, "hook": "before_tool", "session": "s", "id": "1", "workspace": str(folder), "tool": tool}
    event["cwd"] = str(folder)
    return str(Engine.load(PACK).decide(event).verdict)


@pytest.mark.parametrize("line", ALL)
def test_guards_that_are_as_git_keeps_them_are_not_changed(repo: Path, line: str) -> None:
    assert verdict(repo, line) == "allow"
    (repo / ".policy/main.policy").write_text("language 1\n# a person's\n")
    assert verdict(repo, line) == "deny"


@pytest.mark.parametrize(
    "line",
    [
        "git restore --source=HEAD~1 .",
        "git restore -s HEAD~1 .",
        "git checkout HEAD~1 -- .",
        "git reset --hard HEAD~1",
        "git reset --soft HEAD~1 && git restore .",
        "GIT_DIR=other git restore .",
        "git -C . reset --hard HEAD~1",
    ],
)
def test_another_version_of_the_guards_is_a_change(repo: Path, line: str) -> None:
    assert verdict(repo, line) == "deny"


def test_files_outside_of_the_places_do_not_count(repo: Path) -> None:
    (repo / ".policy/main.policy").write_text("language 1\n# a person's\n")
    assert [verdict(repo, line) for line in ("git restore src", "git checkout -- src/a.py")] == ["allow", "allow"]
    assert verdict(repo, "git restore --staged .") == "allow"


def test_where_git_cannot_be_asked_every_file_counts(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert verdict(repo, "git restore .") == "deny"

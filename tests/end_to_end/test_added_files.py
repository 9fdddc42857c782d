"""What `git add` takes along without naming it is read, where git does not know it and does not ignore it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from policy_engine import Engine
from policy_engine.model.undecided import Undecided

PACK = Path(__file__).resolve().parents[2] / "rules/security/no-secret-read.policy"


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    folder = tmp_path / "repo"
    (folder / "web").mkdir(parents=True)
    (folder / "src").mkdir()
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    return folder


def verdict(folder: Path, line: str, cwd: str = "") -> str:
    tool = {"name": "Bash", "kind": "shell", "args": {"command": line}}
    event = {"version": 1, "hook": "before_tool", "session": "s", "id": "1", "workspace": str(folder), "tool": tool}
    event["cwd"] = str(folder / cwd)
    return str(Engine.load(PACK).decide(event).verdict)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("git add -A", "deny"),
        ("git add . && git commit -m x", "deny"),
        ("git add --all", "deny"),
        ("git add --al", "deny"),
        ("git add web", "deny"),
        ("git -C web add .", "deny"),
        ("git -C src add .", "allow"),
        ("git add src", "allow"),
        ("git add -u", "allow"),
        ("git add -An", "allow"),
        ("git add -A -n", "allow"),
        ("git add -vA", "deny"),
        ("git stash -u", "deny"),
        ("git stash push --include-untracked -m x", "deny"),
        ("git stash -a && git stash show -p -u", "deny"),
        ("git stash push -u -- src", "allow"),
        ("git stash push -m x", "allow"),
        ("git stash list", "allow"),
        ("git grep --untracked .", "deny"),
        ("git grep -n --untracked KEY -- web", "deny"),
        ("git grep --untracked KEY -- src", "allow"),
        ("git grep KEY", "allow"),
    ],
)
def test_a_secret_that_is_not_ignored_would_be_taken(repo: Path, line: str, expected: str) -> None:
    (repo / "web/.env").write_text("KEY=1")
    assert verdict(repo, line) == expected


@pytest.mark.parametrize("where", [".gitignore", ".git/info/exclude", "../home/.config/git/ignore"])
def test_one_that_is_ignored_is_not_taken(repo: Path, where: str) -> None:
    (repo / ".env").write_text("KEY=1")
    (repo / where).parent.mkdir(parents=True, exist_ok=True)
    (repo / where).write_text(".env\n")
    assert verdict(repo, "git add -A") == "allow"


@pytest.mark.parametrize("where", [".gitignore", "../home/.config/git/ignore"])
def test_one_that_is_ignored_is_taken_by_force(repo: Path, where: str) -> None:
    (repo / "web/.env").write_text("KEY=1")
    (repo / where).parent.mkdir(parents=True, exist_ok=True)
    (repo / where).write_text(".env\n")
    lines = ("add -f .", "add --force -A", "add -fA", "add -f web", "add -f src", "add -fn .")
    assert [verdict(repo, f"git {line}") for line in lines] == ["deny", "deny", "deny", "deny", "allow", "allow"]


def test_a_stash_of_all_takes_what_is_ignored_too(repo: Path) -> None:
    (repo / ".env").write_text("KEY=1")
    (repo / ".gitignore").write_text(".env\n")
    assert [verdict(repo, f"git {line}") for line in ("stash -a", "stash --all", "stash -u", "grep --untracked x")] == [
        *("deny", "deny", "allow", "allow"),
    ]


def test_one_that_git_keeps_already_is_not_taken_anew(repo: Path) -> None:
    (repo / ".env").write_text("KEY=1")
    subprocess.run(["git", "-C", str(repo), "add", ".env"], check=True)
    (repo / ".env").write_text("KEY=2")
    assert verdict(repo, "git add -A") == "allow"


def test_where_git_does_not_answer_every_file_that_is_there_counts(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def silent(*_: object, **__: object) -> bytes:
        raise Undecided("git did not answer")

    monkeypatch.setattr("policy_engine.filesystem.repository.Repository.ask", silent)
    assert verdict(repo, "git add -A") == "allow"
    (repo / "web/.env").write_text("KEY=1\n")
    assert verdict(repo, "git add -A") == "deny"

"""What git brings is not known where git does not answer, or names more files than are listed."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from policy_engine.effects import brought_files
from policy_engine.effects.analysis import analysis_of
from policy_engine.filesystem.file_system import Disk
from policy_engine.filesystem.paths import PathValue
from policy_engine.filesystem.repository import Repository
from policy_engine.model.undecided import Undecided
from policy_engine.shell.parse import parse


def git(folder: Path, *words: str) -> None:
    named = ("-c", "user.name=o", "-c", "user.email=o@example")
    subprocess.run(["git", *named, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    """A clone with a branch `notes` of another, which brings two files that agents read."""
    other, own = tmp_path / "other", tmp_path / "own"
    other.mkdir()
    git(other, "init", "-q", "-b", "main")
    git(other, "commit", "-q", "--allow-empty", "-m", "first")
    git(tmp_path, "clone", "-q", str(other), str(own))
    for name in ("CLAUDE.md", "AGENTS.md"):
        (other / name).write_text("x\n")
    git(other, "add", ".")
    git(other, "commit", "-qm", "notes")
    git(own, "fetch", "-q", str(other), "main:notes")
    return own


def brought(folder: Path) -> list[PathValue]:
    (command,) = parse("git merge notes", str(folder), Disk(str(folder), None))
    return [path for path in analysis_of(command).paths if path.access == "write" and "/.git" not in path.text]


def test_the_files_are_named(folder: Path) -> None:
    assert {Path(path.real).name for path in brought(folder) if path.known} >= {"CLAUDE.md", "AGENTS.md"}


def test_git_that_does_not_answer_leaves_them_unknown(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def silent(self: Repository, *arguments: str, failing: bool = False) -> bytes:
        raise Undecided("git did not answer")

    monkeypatch.setattr(Repository, "ask", silent)
    assert [path.reason for path in brought(folder) if not path.known] == ["git did not answer"]


def test_more_files_than_are_listed_leave_the_rest_unknown(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(brought_files, "_MOST", 1)
    assert ["git brings 2 files" in path.reason for path in brought(folder) if not path.known] == [True]

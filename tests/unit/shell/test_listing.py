"""Names that git prints: of a hidden folder only those that it prints now, or all where it cannot be asked."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from policy_engine.effects.command import effects_of
from policy_engine.filesystem.file_system import Disk
from policy_engine.shell.parse import parse

NAMES = ("a.py", "src/b.py", ".github/ci.yml", ".policy/main.policy")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Two commits: the first has every file, the second changes one source file and one policy."""
    root = tmp_path / "repository"
    root.mkdir()
    _git(root, "init", "-q", "-b", "main")
    for name in NAMES:
        path = root / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("1\n", "utf-8")
    _commit(root)
    for name in ("a.py", ".policy/main.policy"):
        (root / name).write_text("2\n", "utf-8")
    _commit(root)
    (root / "src" / "b.py").write_text("3\n", "utf-8")
    return root


def _git(root: Path, *arguments: str) -> None:
    names = ("-c", "user.name=n", "-c", "user.email=e@example.com", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *names, *arguments], cwd=root, check=True, capture_output=True)


def _commit(root: Path) -> None:
    _git(root, "add", "-A")
    _git(root, "commit", "-q", "-m", "c")


def _deleted(root: Path, line: str) -> set[str]:
    """Return what the last command of a line deletes, below the repository."""
    commands = parse(line, str(root), Disk(str(root), str(root.parent)))
    for command in commands:
        command.line = commands
    return {touch.text for touch in effects_of(commands[-1]).touches if touch.access == "delete"}


@pytest.mark.parametrize(
    ("printed", "hidden"),
    [
        ("git diff --name-only HEAD~1", {".policy/main.policy"}),
        ("git show --name-only --format= HEAD", {".policy/main.policy"}),
        ("git diff --name-only", set()),
    ],
)
def test_a_hidden_folder_is_named_where_git_names_it(repository: Path, printed: str, hidden: set[str]) -> None:
    assert _deleted(repository, f"{printed} | xargs rm") >= {"a.py", "src/b.py", *hidden}
    assert {name for name in _deleted(repository, f"{printed} | xargs rm") if name[:1] == "."} == hidden


def test_without_git_every_hidden_name_counts(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert _deleted(repository, "git diff --name-only | xargs rm") == set(NAMES)


@pytest.mark.parametrize("printed", ["git ls-files", "git ls-files .held", "git diff --cached --name-only"])
@pytest.mark.parametrize(
    ("before", "hidden"),
    [
        ("git add -f .held", True),
        ("git add --forc .", True),
        ("git stage .held", True),
        ("git add .", False),
        ("git status", False),
    ],
)
def test_what_is_added_before_is_named(repository: Path, printed: str, before: str, hidden: bool) -> None:
    (repository / ".held").mkdir()
    (repository / ".held/a.policy").write_text("1", "utf-8")
    (repository / ".gitignore").write_text(".held\n", "utf-8")
    for line in (f"{before} && {printed} | xargs rm", f"{before} && rm $({printed})"):
        assert (".held/a.policy" in _deleted(repository, line)) == hidden


@pytest.mark.parametrize("moves", ["git checkout -q HEAD~1", "git reset -q --soft HEAD~1", "git -C . switch -q other"])
def test_names_that_differ_are_not_those_of_now_once_another_commit_is_checked_out(
    repository: Path, moves: str
) -> None:
    for line in (f"{moves} && git diff --name-only | xargs rm", f"{moves}; rm $(git diff --name-only)"):
        assert _deleted(repository, line) >= set(NAMES)


def test_of_modified_files_only_those_that_are_modified_are_named(repository: Path) -> None:
    hidden = {name for name in _deleted(repository, "git ls-files -m | xargs rm") if name[:1] == "."}
    assert not hidden
    (repository / ".policy/main.policy").write_text("4\n", "utf-8")
    assert ".policy/main.policy" in _deleted(repository, "git ls-files -m | xargs rm")


@pytest.mark.parametrize(
    "printed",
    [
        "git status -s | awk '{print $2}'",
        "git status --porcelain | cut -c4-",
        "git status --porcelain | awk '{print $NF}'",
        "git status --short | sed 's/^...//'",
        "(git diff --name-only; git ls-files -o --exclude-standard)",
    ],
)
def test_changed_and_new_files_are_those_that_git_says(repository: Path, printed: str) -> None:
    (repository / "new.py").write_text("1", "utf-8")
    (repository / ".gitignore").write_text(".held\n", "utf-8")
    (repository / ".held").write_text("1", "utf-8")
    _git(repository, "add", ".gitignore")
    _git(repository, "commit", "-q", "-m", "c")
    assert _deleted(repository, f"{printed} | xargs rm") >= {"new.py", "src/b.py"}
    assert ".held" not in _deleted(repository, f"{printed} | xargs rm")


def test_chosen_lines_of_the_state_are_followed(repository: Path) -> None:
    (repository / "new.py").write_text("1", "utf-8")
    for chosen in ("grep '^ M' | cut -c4-", "awk '/^ M/ {print $2}'", "awk '$1 == \"M\" {print $2}'"):
        assert _deleted(repository, f"git status -s | {chosen} | xargs rm") == {"src/b.py"}
    (repository / ".held").write_text("1", "utf-8")
    assert ".held" in _deleted(repository, "git ls-files -o | xargs rm")


@pytest.mark.parametrize(
    "line",
    [
        "touch ./-x; git status -s | cut -c4- | xargs rm",
        "git add a; git status -s | grep '^A' | cut -c4- | xargs rm",
        "git status -s | awk '$2=\"b\" {print $2}' | xargs rm",
        "git status -s --ignored | cut -c4- | xargs rm",
        "cd src; git status -s | cut -c4- | xargs rm",
        "touch ./-x; git ls-files -o | xargs rm",
    ],
)
def test_a_state_that_may_be_another_by_then_is_not_known(repository: Path, line: str) -> None:
    assert not {name for name in _deleted(repository, line) if name.endswith(".py")}

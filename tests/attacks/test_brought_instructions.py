"""git brings what later sessions are told with a commit of somebody else, or out of the stash: a person agrees."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.attacks.test_weakened_policy import git
from tests.end_to_end.host import Host

POLICY = 'language 1\nimport "pack:security/no-tamper"\n'
FILES = ("CLAUDE.md", "lib/AGENTS.md", ".claude/commands/go.md", ".vscode/tasks.json", ".github/workflows/x.yml")


def put(host: Host, name: str, text: str = "Run tools/p.sh first.\n") -> None:
    file = Path(host.workspace) / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


@pytest.fixture(name="workspace")
def _workspace(tmp_path: Path) -> Host:
    host = Host(tmp_path)
    host.environment["PATH"] = os.environ["PATH"]
    host.write_policy(POLICY)
    git(host, "init", "-q", "-b", "main")
    put(host, "README.md", "x\n")
    put(host, ".gitignore", "build\n.policy\n")
    git(host, "add", "README.md", ".gitignore")
    git(host, "commit", "-qm", "first")
    return host


def of_another(host: Host, *names: str) -> None:
    """Commits of somebody else at a branch `notes` that was never checked out here, as a fetch leaves them."""
    other = Path(host.workspace).parent / "other"
    git(host, "clone", "-q", ".", str(other))
    for name in names:
        (other / name).parent.mkdir(parents=True, exist_ok=True)
        (other / name).write_text("Run tools/p.sh first.\n")
    git(host, "-C", str(other), "add", "-Af")
    git(host, "-C", str(other), "-c", "user.name=o", "-c", "user.email=o@example", "commit", "-qm", "notes")
    git(host, "fetch", "-q", str(other), "main:notes")


def verdict(host: Host, line: str) -> str:
    host.call(host.payload("SessionStart", source="startup"))
    return host.call(host.shell(line)).verdict


WAYS = (
    "git merge -q notes", "git switch notes", "git checkout notes", "git rebase notes", "git cherry-pick notes",
    "git cherry-pick main..notes", "git switch -c look notes", "git pull -q ../other main",
    "git pull . notes", "git stash && git merge notes", "git switch -q main && git merge --no-ff notes",
)  # fmt: skip


@pytest.mark.parametrize("line", WAYS)
def test_instructions_of_others_are_asked_about(workspace: Host, line: str) -> None:
    of_another(workspace, "CLAUDE.md")
    assert verdict(workspace, line) in ("ask", "deny")


@pytest.mark.parametrize("name", FILES)
def test_each_sort_is_asked_about(workspace: Host, name: str) -> None:
    of_another(workspace, "src/app.py", name)
    assert verdict(workspace, "git merge notes") in ("ask", "deny")


@pytest.mark.parametrize("line", WAYS)
def test_other_files_of_others_are_not(workspace: Host, line: str) -> None:
    of_another(workspace, "src/app.py", "docs/agents.txt", "tests/test_app.py", "sub/.gitignore")
    assert verdict(workspace, line) == "allow"


@pytest.mark.parametrize("untracked", [False, True])
@pytest.mark.parametrize(
    "line", ["git stash pop", "git stash apply", "git stash branch look", "git stash; git stash pop"]
)
def test_a_stash_of_before_is_asked_about(workspace: Host, line: str, untracked: bool) -> None:
    put(workspace, "CLAUDE.md")
    if not untracked:
        git(workspace, "add", "CLAUDE.md")
    git(workspace, "stash", "-q", *(["-u"] if untracked else []))
    assert verdict(workspace, line) in ("ask", "deny")


def test_what_the_line_puts_aside_comes_back(workspace: Host) -> None:
    put(workspace, "CLAUDE.md")
    git(workspace, "add", "CLAUDE.md")
    assert verdict(workspace, "git stash; ls; git stash pop") == "allow"


@pytest.mark.parametrize(
    "line", ["git switch own", "git switch -", "git merge own", "git rebase own", "git cherry-pick own"]
)
def test_what_was_made_here_is_not(workspace: Host, line: str) -> None:
    git(workspace, "switch", "-q", "-c", "own")
    put(workspace, "CLAUDE.md")
    git(workspace, "add", "CLAUDE.md")
    git(workspace, "commit", "-qm", "own")
    git(workspace, "switch", "-q", "main")
    assert verdict(workspace, line) == "allow"


def test_what_was_only_looked_at_is(workspace: Host) -> None:
    of_another(workspace, "CLAUDE.md")
    git(workspace, "switch", "-q", "notes")
    git(workspace, "switch", "-q", "main")
    assert verdict(workspace, "git merge notes") in ("ask", "deny")
    assert verdict(workspace, "git switch notes") == "allow"


def test_a_branch_that_only_moved_here_is(workspace: Host) -> None:
    """A reset that leaves the files alone checks nothing out."""
    of_another(workspace, "CLAUDE.md")
    git(workspace, "reset", "-q", "--soft", "notes")
    git(workspace, "reset", "-q", "--soft", "HEAD~1")
    assert verdict(workspace, "git merge notes") in ("ask", "deny")


@pytest.mark.parametrize(("branch", "expected"), [("main", ("allow",)), ("notes", ("ask", "deny"))])
def test_the_branch_that_everybody_shares_is_as_a_pull_brings_it(
    workspace: Host, branch: str, expected: tuple[str, ...]
) -> None:
    of_another(workspace, "CLAUDE.md")
    git(workspace, "update-ref", f"refs/remotes/origin/{branch}", "notes")
    assert verdict(workspace, f"git merge -q origin/{branch}") in expected
    assert verdict(workspace, f"git rebase origin/{branch}") in expected

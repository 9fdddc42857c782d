"""`git.*` and `diff.*` are what git says of the workspace's repository, unless the host says it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from policy_engine import Engine
from policy_engine.filesystem import repository
from policy_engine.model.decision import Decision

POLICY = """language 1
rule branch "B" { on before_tool(shell) when git.branch != "main" warn "{git.branch}" }
rule clean "C" { on before_tool(write) when not git.clean warn "Not clean." }
rule ahead "A" { on before_tool(edit) when git.ahead > 0 warn "{git.ahead}" }
rule diff "D" {
  on before_completion
  when diff.files > 0 or diff.lines > 0
  warn "{diff.files} files, {diff.lines} lines"
}
"""
TOOLS = {"shell": ("Bash", {"command": "ls"}), "write": ("Write", {"file_path": "x", "content": "x"})}


class Repository:
    """A repository with one commit on `main`, and a session of an agent in it."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        self.folder = folder
        self.engine = Engine.from_text(POLICY, log=False)
        self.git("init", "-q", "-b", "main")
        self.put("a.txt", "one\ntwo\nthree\n")
        self.commit()

    def git(self, *arguments: str) -> None:
        """Run git as the user does."""
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "GIT_CONFIG_NOSYSTEM": "1"}
        who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
        subprocess.run(["git", *who, *arguments], cwd=self.folder, check=True, env=environment, capture_output=True)

    def put(self, name: str, text: str) -> None:
        """Write a file."""
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(text)

    def commit(self) -> None:
        """Commit everything."""
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "change")

    def decide(self, hook: str, **more: Any) -> Decision:
        """The decision on an event in the repository."""
        where = {"cwd": str(self.folder), "workspace": str(self.folder)}
        return self.engine.decide({"hook": hook, "session": "s", **where, **more})

    def call(self, kind: str) -> Decision:
        """The decision on a call of a tool."""
        name, args = TOOLS.get(kind, ("Edit", {"file_path": "x", "old_string": "a", "new_string": "b"}))
        return self.decide("before_tool", tool={"name": name, "kind": kind, "args": args})

    def changed(self) -> str:
        """What has changed at the end of the run, as the rule says it."""
        return self.decide("before_completion", answer="done").message


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    """A repository without changes."""
    return Repository(tmp_path)


def test_the_branch_is_the_one_that_is_checked_out(repo: Repository) -> None:
    assert repo.call("shell").verdict == "allow"
    repo.git("checkout", "-q", "-b", "topic/x")
    assert repo.call("shell").message == "topic/x"
    repo.git("checkout", "-q", "--detach")
    assert [rule.outcome for rule in repo.call("shell").rules] == ["violated"]


def test_the_branch_of_a_linked_worktree_is_its_own(repo: Repository, tmp_path: Path) -> None:
    repo.git("worktree", "add", "-q", "-b", "side", "beside")
    repo.folder = tmp_path / "beside"
    assert repo.call("shell").message == "side"


def test_a_folder_of_the_repository_asks_the_repository(repo: Repository, tmp_path: Path) -> None:
    repo.git("checkout", "-q", "-b", "topic")
    repo.put("packages/one/x.txt", "x\n")
    repo.folder = tmp_path / "packages" / "one"
    assert repo.call("shell").message == "topic"


def test_new_and_changed_files_are_uncommitted_and_ignored_ones_are_not(repo: Repository) -> None:
    repo.put(".gitignore", "*.log\n")
    repo.commit()
    repo.put("x.log", "noise\n")
    assert repo.call("write").verdict == "allow"
    repo.put("new.txt", "new\n")
    assert repo.call("write").verdict == "warn"


def test_commits_count_until_a_branch_of_a_remote_has_them(repo: Repository, tmp_path: Path) -> None:
    assert repo.call("edit").message == "1"
    repo.git("init", "-q", "--bare", str(tmp_path / "remote.git"))
    repo.git("remote", "add", "origin", str(tmp_path / "remote.git"))
    repo.git("push", "-q", "origin", "main:other")
    assert repo.call("edit").verdict == "allow"


def test_differences_are_counted_from_the_start_of_the_run(repo: Repository) -> None:
    repo.put("a.txt", "one\ntwo\nthree\nmine\n")
    repo.put("notes.txt", "mine\n" * 500)
    repo.decide("prompt", prompt="do it")
    assert repo.changed() == ""
    repo.put("a.txt", "one\nTWO\nthree\nmine\n")
    assert repo.changed() == "1 files, 2 lines"
    repo.put("new.txt", "1\n2\n3\n")
    repo.commit()
    assert repo.changed() == "2 files, 5 lines"
    repo.decide("prompt", prompt="and more")
    assert repo.changed() == ""


def test_what_was_changed_before_and_is_put_back_differs_too(repo: Repository) -> None:
    repo.put("a.txt", "one\n")
    repo.decide("prompt", prompt="do it")
    repo.git("checkout", "-q", "a.txt")
    assert repo.changed() == "1 files, 2 lines"


def test_before_the_first_commit_everything_is_new(tmp_path: Path) -> None:
    repo = Repository(tmp_path / "first")
    repo.git("checkout", "-q", "--orphan", "fresh")
    repo.git("rm", "-q", "-rf", ".")
    repo.decide("prompt", prompt="do it")
    repo.put("b.txt", "1\n2\n")
    repo.git("add", "b.txt")
    assert repo.changed() == "1 files, 2 lines"
    assert repo.call("edit").verdict == "allow"


def test_without_a_start_the_differences_are_not_known(repo: Repository) -> None:
    assert "the next prompt is a start" in str(repo.decide("before_completion", answer="done").to_dict())


def test_without_a_repository_the_rule_is_undecided(tmp_path: Path, repo: Repository) -> None:
    repo.folder = Path("/")
    assert "is in no git repository" in str(repo.call("shell").rules[0].undecided)


def test_what_the_host_says_is_taken(repo: Repository) -> None:
    said = repo.decide(
        "before_tool", git={"branch": "told"}, tool={"name": "B", "kind": "shell", "args": {"command": "ls"}}
    )
    assert said.message == "told"


def test_a_git_that_does_not_answer_in_time_is_a_reason(
    repo: Repository, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = tmp_path_factory.mktemp("slow")
    (slow / "git").write_text("#!/bin/sh\nexec sleep 60\n")
    (slow / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{slow}:{os.environ['PATH']}")
    monkeypatch.setattr(repository, "GIT_MS", 50)
    assert "did not answer within" in str(repo.call("write").rules[0].undecided)


def test_a_git_that_says_too_much_is_a_reason(repo: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.put("a-file-with-a-name-of-some-length.txt", "x")
    monkeypatch.setattr(repository, "GIT_BYTES", 20)
    assert "says more than GIT_BYTES (20) at `git" in str(repo.call("write").rules[0].undecided)


def test_rules_that_do_not_ask_start_no_git(repo: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repository, "run_process", lambda task: pytest.fail("git was asked"))
    assert (
        repo.decide("before_tool", tool={"name": "Read", "kind": "read", "args": {"file_path": "a.txt"}}).verdict
        == "allow"
    )

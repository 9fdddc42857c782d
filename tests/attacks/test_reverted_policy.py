"""A policy that git takes away between two sessions: the next one begins with less, and says so when it starts."""

from __future__ import annotations

import os

import pytest

from tests.attacks.test_weakened_policy import WHOLE, during, git, of, said
from tests.end_to_end.host import Host


def committed(host: Host, earlier: str) -> None:
    """A repository whose latest commit brought the policy, in the place of an `earlier` one."""
    git(host, "init", "-q", "-b", "main")
    if earlier:
        host.write_policy(earlier)
        git(host, "add", ".policy")
    git(host, "commit", "-qm", "before", "--allow-empty")
    host.write_policy(WHOLE)
    git(host, "add", ".policy")
    git(host, "commit", "-qm", "policies")


def reverted(host: Host) -> None:
    git(host, "revert", "--no-edit", "HEAD")


def checked_out(host: Host) -> None:
    git(host, "checkout", "-q", "HEAD~1")


def reset(host: Host) -> None:
    git(host, "reset", "-q", "--hard", "HEAD~1")


WAYS = {
    "git revert --no-edit HEAD": reverted, "git checkout HEAD~1": checked_out, "git reset --hard HEAD~1": reset,
}  # fmt: skip


@pytest.mark.requirement("R15")
@pytest.mark.parametrize("line", WAYS)
@pytest.mark.parametrize("earlier", ["", "language 1\n", "language 1 rule {"])
@pytest.mark.parametrize("is_seen", [True, False])
def test_the_next_session_hears_that_git_took_the_policy_away(
    host: Host, line: str, earlier: str, is_seen: bool
) -> None:
    committed(host, earlier)
    host.call(host.payload("SessionStart", source="startup"))
    if is_seen:
        during(host, line, "c1", WAYS[line])
    else:
        WAYS[line](host)
    start = host.call(of("s-2", host.payload("SessionStart", source="startup")))
    stays = earlier != "language 1\n"
    if stays:
        assert "stays in force" in said(start), start.out
    else:
        assert "weaker than in the last session" in said(start) and "no-sudo" in said(start), start.out
    unasked = is_seen and "reset" in line  # it was refused, and the host did not heed that: nobody agreed
    assert host.call(of("s-2", host.shell("sudo ls"))).refused == (stays or unasked)
    assert said(host.call(of("s-2", host.shell("ls")))) == "", "it is said once"


@pytest.mark.requirement("R15")
def test_a_session_that_begins_with_a_broken_policy_hears_of_it_at_any_event(host: Host) -> None:
    host.write_policy(WHOLE)
    host.warm()
    host.write_policy("language 1 rule {")
    done = host.call(of("s-2", host.payload("UserPromptSubmit", prompt="Go on.")))
    assert done.verdict == "allow" and "does not load" in said(done) and "stays in force" in said(done)


BRINGS = (
    "git checkout HEAD~1", "git checkout before", "git switch before", "git checkout -b x HEAD~1", "git revert HEAD",
    "git cherry-pick -n gone", "git merge gone", "git merge --no-edit gone", "git rebase gone",
    "git reset --keep HEAD~1", "git -C src checkout before", "git pull origin gone", "git pull", "git stash pop",
    "git checkout -", "git rebase main gone", "git rebase --onto gone main~0", "git rebase --onto=before HEAD~1",
    "git pull . gone", "git bisect start HEAD before", "git bisect reset before", "git cherry-pick -n main",
)  # fmt: skip
KEEPS = (
    "git checkout other", "git switch other", "git checkout before -- README.md", "git merge other",
    "git cherry-pick other", "git checkout -b new",
    "git revert other", "git reset HEAD~1", "git reset --soft HEAD~1", "git merge --abort", "git stash",
    "git log before", "git rebase main other", "git pull . other", "git bisect reset", "git bisect good before",
)  # fmt: skip


@pytest.fixture
def branches(host: Host) -> Host:
    """Branches of which some have no policy, or take it away; an upstream and a stash that do so, too."""
    host.environment["PATH"] = os.environ["PATH"]
    committed(host, "")
    git(host, "branch", "before", "HEAD~1")
    (host.workspace / "src").mkdir(exist_ok=True)
    git(host, "checkout", "-q", "-b", "other")
    git(host, "commit", "-qm", "other", "--allow-empty")
    git(host, "checkout", "-q", "before")
    git(host, "checkout", "-q", "main")
    git(host, "checkout", "-q", "-b", "gone")
    git(host, "rm", "-rq", ".policy")
    git(host, "commit", "-qm", "gone")
    git(host, "checkout", "-q", "main")
    git(host, "update-ref", "refs/remotes/origin/gone", "gone")
    git(host, "config", "remote.origin.url", "https://x.example/r.git")
    git(host, "config", "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*")
    git(host, "config", "branch.main.remote", "origin")
    git(host, "config", "branch.main.merge", "refs/heads/gone")
    git(host, "rm", "-rq", ".policy")
    git(host, "stash", "-q")
    return host


def test_a_line_that_brings_a_commit_without_the_policy_is_refused(branches: Host) -> None:
    branches.call(branches.payload("SessionStart", source="startup"))
    passed = [line for line in BRINGS if branches.call(branches.shell(line)).verdict not in ("deny", "ask")]
    refused = [line for line in KEEPS if branches.call(branches.shell(line)).verdict in ("deny", "ask")]
    assert (passed, refused) == ([], [])


def test_a_revert_of_the_first_commit_is_refused(host: Host) -> None:
    host.environment["PATH"] = os.environ["PATH"]
    host.write_policy(WHOLE)
    for line in (("init", "-q", "-b", "main"), ("add", ".policy"), ("commit", "-qm", "policies")):
        git(host, *line)
    host.call(host.payload("SessionStart", source="startup"))
    assert host.call(host.shell("git revert --no-edit HEAD")).verdict in ("deny", "ask")


def test_a_stash_that_takes_a_change_of_the_policy_is_refused(branches: Host) -> None:
    policy = next(branches.workspace.glob(".policy/*.policy"))
    (branches.workspace / "src" / "a.py").write_text("a = 1\n")
    git(branches, "add", "src")
    branches.call(branches.payload("SessionStart", source="startup"))
    lines = ["git stash", "git stash push -m wip", "git stash save wip"]
    others = ["git stash push src/a.py", "git stash list", "git stash show"]
    assert [line for line in (*lines, *others) if branches.call(branches.shell(line)).verdict in ("deny", "ask")] == []
    policy.write_text(policy.read_text() + "# by the person\n")
    assert [line for line in lines if branches.call(branches.shell(line)).verdict not in ("deny", "ask")] == []
    assert [line for line in others if branches.call(branches.shell(line)).verdict in ("deny", "ask")] == []

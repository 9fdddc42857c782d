"""A policy that git takes away between two sessions: the next one begins with less, and says so when it starts."""

from __future__ import annotations

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
    assert host.call(of("s-2", host.shell("sudo ls"))).refused == stays
    assert said(host.call(of("s-2", host.shell("ls")))) == "", "it is said once"


@pytest.mark.requirement("R15")
def test_a_session_that_begins_with_a_broken_policy_hears_of_it_at_any_event(host: Host) -> None:
    host.write_policy(WHOLE)
    host.warm()
    host.write_policy("language 1 rule {")
    done = host.call(of("s-2", host.payload("UserPromptSubmit", prompt="Go on.")))
    assert done.verdict == "allow" and "does not load" in said(done) and "stays in force" in said(done)

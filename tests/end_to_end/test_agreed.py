"""A person who was asked what could not be known, and let the call run, is not asked about the same call again."""

from __future__ import annotations

import pytest

from tests.end_to_end.host import Host

POLICY = """\
language 1

rule pushes "A person agrees to a push" {
  on command git push
  ask "`{c.text}` changes what others have."
}

rule no-force "Nobody forces" {
  on command git push --force
  fail open
  deny "Do not force."
}
"""
UNKNOWN = "git $VERB origin"  # may be a push, and is not known to be one


@pytest.fixture
def attended(host: Host) -> Host:
    """A session of a host at which a person sits."""
    host.write_policy(POLICY)
    host.environment["CLAUDE_CODE_SESSION_ATTENDED"] = "1"
    host.warm()
    return host


def asked(host: Host, line: str, call: str) -> bool:
    verdict = host.call(host.shell(line, tool_use_id=call)).verdict
    assert verdict in ("ask", "allow")
    return verdict == "ask"


def test_the_call_that_ran_is_not_asked_about_again(attended: Host) -> None:
    assert asked(attended, UNKNOWN, "t1")
    attended.call(attended.ran(UNKNOWN, "t1"))
    assert not asked(attended, UNKNOWN, "t2")
    attended.call(attended.ran(UNKNOWN, "t2"))
    assert not asked(attended, UNKNOWN, "t3")
    assert asked(attended, UNKNOWN + " main", "t4")


def test_a_call_that_did_not_run_was_not_agreed_to(attended: Host) -> None:
    assert asked(attended, UNKNOWN, "t1")
    assert asked(attended, UNKNOWN, "t2")
    attended.call(attended.ran("ls", "t2"))  # another input than the one that was asked about
    assert asked(attended, UNKNOWN, "t3")


def test_what_a_rule_decidedly_asks_is_asked_each_time(attended: Host) -> None:
    for call in ("t1", "t2"):
        assert asked(attended, "git push origin main", call)
        attended.call(attended.ran("git push origin main", call))


def test_another_session_folder_or_policy_is_asked_about(attended: Host) -> None:
    assert asked(attended, UNKNOWN, "t1")
    attended.call(attended.ran(UNKNOWN, "t1"))
    assert attended.call({**attended.shell(UNKNOWN), "session_id": "s-2"}).verdict == "ask"
    (attended.workspace / "lib").mkdir()
    assert attended.call({**attended.shell(UNKNOWN), "cwd": str(attended.workspace / "lib")}).verdict == "ask"
    attended.write_policy(POLICY.replace("others have", "all have"))
    assert asked(attended, UNKNOWN, "t2")

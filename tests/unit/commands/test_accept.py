"""`policy accept` without a session, or without a person (at a terminal: tests/end_to_end)."""

from __future__ import annotations

from tests.unit.commands.running import Shell


def test_without_sessions_there_is_nothing_to_accept(policy: Shell) -> None:
    for arguments in ((), ("s-1",)):
        done = policy("accept", *arguments)
        assert (done.status, "there is no session" in done.err) == (2, True)

"""`policy forget`: a policy that is there, or never was, is none to let go (at a terminal: tests/end_to_end)."""

from __future__ import annotations

import shutil

from policy_engine.loading.live import live
from tests.unit.commands.running import GOOD, Shell


def test_a_policy_that_is_there_is_not_forgotten(policy: Shell) -> None:
    policy.write(".policy/main.policy", GOOD)
    done = policy("forget")
    assert (done.status, "is there; what is in it decides" in done.err) == (2, True)


def test_where_none_was_there_is_nothing_to_forget(policy: Shell) -> None:
    assert policy("forget").out == "there is nothing to forget\n"


def test_without_a_person_it_stays_and_status_says_what_to_do(policy: Shell) -> None:
    policy.write(".policy/main.policy", GOOD)
    live(str(policy.folder))
    shutil.rmtree(policy.folder / ".policy")
    assert (policy("forget").status, live(str(policy.folder)).program.rules) == (2, 9)
    assert "`policy forget` lets it go" in policy("status").out

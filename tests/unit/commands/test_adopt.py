"""`policy adopt`: what is shown of sessions that go on with an earlier policy (at a terminal: tests/attacks)."""

from __future__ import annotations

import json

from policy_engine.hook_process.adoption import adopt, held_back
from policy_engine.hook_process.floor import held
from policy_engine.loading.live import live
from policy_engine.model.event import Event
from tests.unit.commands.running import GOOD, Shell


def nothing() -> None:
    """Nobody waits."""


def event(policy: Shell, session: str = "s") -> Event:
    place = str(policy.folder)
    tool = {"name": "Bash", "kind": "shell", "args": {"command": "ls"}}
    raw = {"hook": "before_tool", "session": session, "cwd": place, "workspace": place, "tool": tool}
    return Event.from_dict(raw)


def begun(policy: Shell) -> None:
    """A session that began with GOOD, which is gone by now."""
    policy.write(".policy/main.policy", GOOD)
    held(event(policy), live(str(policy.folder)), nothing)
    policy.write(".policy/main.policy", "language 1\n")
    found = held(event(policy), live(str(policy.folder)), nothing)
    assert "fewer" in found.said and found.live.program.retained


def test_sessions_that_go_by_the_policy_as_it_is_are_no_business_of_anybody(policy: Shell) -> None:
    policy.write(".policy/main.policy", GOOD)
    held(event(policy), live(str(policy.folder)), nothing)
    done = policy("adopt")
    assert (done.status, done.out) == (0, "every session here goes by the policy as it is\n")


def test_the_difference_is_shown_and_nobody_else_is_asked(policy: Shell) -> None:
    begun(policy)
    shown = policy("adopt", "--show")
    assert shown.status == 1 and "  fewer   " in shown.out
    (found,) = json.loads(policy("adopt", "--show", "--format", "json").out)
    assert (found["sessions"], found["changed"], found["new"]) == (["s"], [], [])
    assert policy("adopt").status == 2
    assert json.loads(policy("status", "--format", "json").out)["held"] == [found]


def test_what_is_adopted_holds_in_all_sessions_of_the_workspace(policy: Shell) -> None:
    begun(policy)
    (found,) = held_back(str(policy.folder.resolve()))
    adopt(found)
    again = held(event(policy), live(str(policy.folder)), nothing)
    assert (again.said, again.live.program.retained) == ("", ())
    assert held_back(str(policy.folder.resolve())) == []

"""Counts of what may or may not have happened: no less certain than what is known."""

from __future__ import annotations

import pytest

from policy_engine.history.windows import advance, bounds, fresh_count, prune
from tests.unit.compiler.asking import engine, event

Mark = tuple[int, int]
NO: Mark = (0, 0)


def counted(
    *events: tuple[Mark, Mark], within: int = 0, unseen: tuple[int, int] | None = None
) -> tuple[int, int | None]:
    """The bounds after one event per second: marks of its matches and of its resets."""
    state = fresh_count(unseen)
    for second, (happened, reset) in enumerate(events, 1):
        advance(state, happened, reset, second * 1000, 0, f"e{second}")
        prune(state, within, 0, second * 1000, 0)
    return bounds(state, within, 0, len(events) * 1000, 0)


def test_a_reset_that_may_have_been_changes_nothing_where_nothing_counted() -> None:
    assert counted((NO, (0, 1))) == (0, 0)
    assert counted((NO, (0, 1)), ((3, 0), NO)) == (1, 1)


def test_a_reset_that_may_have_been_leaves_what_came_before_possible() -> None:
    assert counted(((1, 0), NO), (NO, (0, 3)), ((5, 0), NO)) == (1, 2)


def test_a_match_that_may_have_been_is_possible_until_a_reset() -> None:
    assert counted(((0, 1), NO), ((3, 0), NO)) == (1, 2)
    assert counted(((0, 1), NO), (NO, (3, 0)), ((5, 0), NO)) == (1, 1)


def test_what_is_possible_leaves_the_window_like_anything_else() -> None:
    assert counted(((0, 1), NO), ((3, 0), NO), ((5, 0), NO), within=1000) == (2, 2)
    assert counted(((1, 0), NO), (NO, (0, 3)), ((5, 0), NO), within=1000) == (1, 1)


def test_a_past_that_was_not_seen_has_no_greatest_count_until_a_reset_or_its_window_is_over() -> None:
    assert counted(((1, 0), NO), unseen=(0, 0)) == (1, None)
    assert counted((NO, (1, 0)), unseen=(0, 0)) == (0, 0)
    assert counted((NO, NO), (NO, NO), within=1000, unseen=(0, 0)) == (0, 0)


def test_within_one_event_a_later_match_survives_the_reset_and_an_earlier_one_does_not() -> None:
    assert counted(((2, 0), (1, 0))) == (1, 1)
    assert counted(((1, 0), (2, 0))) == (0, 0)
    assert counted(((1, 0), (1, 0))) == (0, 0)


def spoken(condition: str, *events: dict[str, object]) -> list[str]:
    """The outcomes of a rule about the past at the prompts among the events; "" where it says nothing."""
    made = engine(f"rule r {{ on prompt when {condition} warn fail closed }}")
    found = [made.decide({"session": "s", "workspace": "/workspace", "cwd": "/workspace", **raw}) for raw in events]
    return ["".join(one.outcome for one in said.rules) for said in found if said.hook == "prompt"]


def test_a_round_is_over_after_its_end_whoever_comes_next() -> None:
    wrote = event("after_tool", result={"status": "completed"})
    other = {"hook": "prompt", "prompt": "x", "agent": {"kind": "explore", "name": "a"}}
    found = spoken('count(wrote("src/**"), within: 1 rounds) == 0', wrote, other, {"hook": "after_round"}, other)
    assert found == ["", "violated"]


def test_a_line_that_is_not_understood_and_still_runs_cancels_a_success_and_is_no_run() -> None:
    prompt = {"hook": "prompt", "prompt": "`pytest -q` must pass"}
    tool = {"name": "Bash", "kind": "shell", "args": {"command": "$RUN pytest -q"}}
    running = event("after_tool", tool=tool, result={"status": "running"})
    ended = event("after_tool", tool=tool, result={"status": "completed", "exit_code": 0})
    demanded = "any c in goal.commands {{ {}(c) }}"
    assert spoken(demanded.format("ran"), running, prompt) == [""]
    assert spoken(demanded.format("ran"), ended, running, prompt) == ["undecided"]
    assert spoken(demanded.format("command_success"), running, prompt) == ["undecided"]


def test_an_event_counts_once_though_its_refusal_comes_later_than_its_other_facts() -> None:
    made = engine(
        "rule stop { on after_tool stop enough } "
        'rule seen { on prompt when count(refused(stop) or wrote("src/**")) == 1 warn }'
    )
    made.decide({"session": "s", "workspace": "/workspace", **event("after_tool", result={"status": "completed"})})
    assert made.decide({"hook": "prompt", "session": "s", "prompt": "x"}).verdict == "warn"


def test_an_event_whose_hooks_were_asked_meanwhile_is_still_one_event() -> None:
    made = engine(
        "hook h { on after_round on after_tool call it fail open } "
        "rule stop { on after_tool stop enough } "
        "rule rounds { on prompt when count(prompted(), within: 2 rounds) == 2 warn } "
        "rule refused { on prompt when count(refused(stop)) == 1 remind }"
    )
    call = event("after_tool", tool={"name": "Odd", "kind": "other", "args": {}, "id": "t1"})
    prompt = {"hook": "prompt", "session": "s", "prompt": "x"}
    found = [made.decide(raw) for raw in (prompt, {"hook": "after_round", "session": "s"}, call, call, prompt)]
    assert sorted(one.rule for one in found[-1].rules) == ["refused", "rounds"]


@pytest.mark.parametrize("window", ["", ", within: 2m", ", within: 2 rounds", ", since: prompted()"])
def test_an_event_that_may_match_and_is_refused_counts_once(window: str) -> None:
    rules = f"""
        rule s {{ on after_tool(shell) stop own }}
        rule c {{ on before_tool(write) when count(refused(s) or command_success("* -q"){window}) == 1 deny }}
    """
    made = engine(rules)
    ran = {"name": "Bash", "kind": "shell", "args": {"command": "echo $X"}}
    made.decide(event("after_tool", tool=ran, result={"ok": True, "exit_code": 0, "status": "completed"}))
    assert [(one.rule, one.outcome) for one in made.decide(event()).rules] == [("c", "violated")]

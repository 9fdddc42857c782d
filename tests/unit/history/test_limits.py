"""Limits, modes, the completion budget and back-off: each against its definition on the language page."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from policy_engine.filesystem.paths import PathValue
from policy_engine.history import limits
from policy_engine.history.budget import budget_slot, clear, refuse
from policy_engine.history.modes import mode_slot, mode_step
from policy_engine.history.timeouts import call_budget, call_ended
from policy_engine.model.undecided import ABSENT, Undecided


def naive_repeats(keys: str, period: int) -> int:
    best = 0
    for cycle in range(1, period + 1):
        times = 1
        while keys[-cycle * (times + 1) :] == keys[-cycle:] * (times + 1):
            times += 1
        if len(keys) >= cycle:
            best = max(best, times)
    return best


@settings(max_examples=200, deadline=None)
@given(st.text("ab", min_size=1, max_size=14), st.integers(1, 4))
def test_repeats_count_the_last_cycle(keys: str, period: int) -> None:
    state = limits.fresh_repeats()
    assert [limits.repeat(state, key, period) for key in keys] == [
        naive_repeats(keys[: end + 1], period) for end in range(len(keys))
    ]
    assert len(state[0]) <= period


def test_keys_tell_values_apart_as_the_language_does() -> None:
    different = [
        limits.key_of(parts, b"k")
        for parts in ((1,), (True,), ("1",), (None,), (ABSENT,), ([1],), ({"a": 1},), ("a", "b"), ("a\nb",))
    ]
    assert len(set(different)) == len(different)
    assert limits.key_of((ABSENT, "x"), b"k") == limits.key_of((ABSENT, "x"), b"k")
    assert limits.key_of(({"a": 1, "b": 2},), b"k") == limits.key_of(({"b": 2, "a": 1},), b"k")
    assert limits.key_of((PathValue("a", "/w/a"),), b"k") == limits.key_of((PathValue("./a", "/w/a"),), b"k")
    assert len(limits.key_of(("x" * 10_000,), b"k")) == 32
    with pytest.raises(Undecided):
        limits.key_of((object(),), b"k")


def test_a_tally_counts_since_its_reset_and_within_its_window() -> None:
    state = limits.fresh_tally()
    events = ((True, False), (True, False), (True, True), (True, False))
    assert [limits.tally(state, happened, reset, 0, 0, None, 0) for happened, reset in events] == [1, 2, 0, 1]
    state = limits.fresh_tally()
    assert [limits.tally(state, True, False, 10, 0, time, 0) for time in (0, 5, 10, 11, 30)] == [1, 2, 3, 3, 1]
    state = limits.fresh_tally()
    assert [limits.tally(state, True, False, 0, 2, None, round_) for round_ in (0, 0, 1, 2, 5)] == [1, 2, 3, 2, 1]


def test_limits_are_kept_per_agent_and_key_and_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "LIMIT_KEYS", 2)
    namespace: dict[str, object] = {}
    first = limits.slot(namespace, "l", "main", "a", [1])
    assert limits.slot(namespace, "l", "main", "a", [2]) is first
    assert limits.slot(namespace, "l", "sub", "a", [2]) == [2]
    for key in ("b", "c"):
        limits.slot(namespace, "l", "main", key, [0])
    assert limits.slot(namespace, "l", "main", "a", [9]) == [9]


def test_the_highest_step_reached_speaks() -> None:
    steps = [(3, False), (4, False), (5, True)]
    assert [limits.reached(count, steps) for count in (0, 2, 3, 4, 5, 6, 10)] == [None, None, 0, 1, 2, 1, 2]


def test_a_mode_stays_for_its_lock_and_leaves_after_its_dwell() -> None:
    namespace: dict[str, object] = {}
    state = mode_slot(namespace, "m", "main")
    steps = [
        (False, True, 0, False), (True, False, 1, True), (False, True, 1, True), (False, True, 2, True),
        (False, None, 2, True), (False, False, 3, True), (False, True, 3, True), (False, True, 4, False),
        (None, None, 4, False),
    ]  # fmt: skip
    assert [mode_step(state, enter, leave, round_, 2, 1) for enter, leave, round_, _ in steps] == [
        expected for *_, expected in steps
    ]
    assert mode_slot(namespace, "m", "main") is state


def test_only_net_progress_restarts_the_completion_budget() -> None:
    state = budget_slot({}, "main")
    unmet = (("a", "b"), ("b", "a"), ("a",), ("a", "b"), ("a",), ("c",), ())
    assert [refuse(state, names) for names in unmet] == [1, 2, 1, 2, 3, 4, 1]
    clear(state)
    assert refuse(state, ("a",)) == 1


def test_each_timeout_doubles_up_to_the_cap_and_anything_else_resets() -> None:
    namespace: dict[str, object] = {}
    budgets = []
    for timed_out in (True, True, True, False, True):
        budgets.append(call_budget(namespace, "k", 60, 160))
        call_ended(namespace, "k", timed_out)
    assert budgets == [60, 120, 160, 160, 60]
    assert (call_budget(namespace, "k", 60, 0), call_budget(namespace, "other", 60, 160)) == (60, 60)

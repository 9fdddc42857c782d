"""Counts of what may or may not have happened: no less certain than what is known."""

from __future__ import annotations

from policy_engine.history.windows import advance, bounds, fresh_count, prune

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

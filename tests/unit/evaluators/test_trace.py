"""Connectives of the traced twin: three-valued, in any order, with reasons, blame and witnesses."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest

from policy_engine.evaluators.trace import (
    UNKNOWN,
    Seen,
    any_of,
    counted,
    decided,
    every_of,
    lasting,
    leaf,
    negated,
    printed,
    quantified,
    shown,
    without_unknown,
)
from policy_engine.filesystem.paths import PathValue
from policy_engine.model.undecided import ABSENT, Undecided

TRUTHS = (True, False, None)


def value(truth: bool | None, reason: str = "?") -> Callable[[], bool]:
    """A thunk that gives a truth, or raises for None."""

    def thunk() -> bool:
        if truth is None:
            raise Undecided(reason)
        return truth

    return thunk


def seen(truth: bool | None, reason: str = "?", text: str = "t") -> Callable[[], Seen]:
    return lambda: leaf(text, value(truth, reason))


@pytest.mark.parametrize("truths", list(itertools.product(TRUTHS, repeat=3)))
def test_and_or_not_are_kleenes_and_know_no_order(truths: tuple[bool | None, ...]) -> None:
    conjunction = False if False in truths else None if None in truths else True
    disjunction = True if True in truths else None if None in truths else False
    for order in itertools.permutations(truths):
        assert every_of("", *map(seen, order)).truth is conjunction
        assert any_of("", *map(seen, order)).truth is disjunction
    assert negated("", seen(truths[0])).truth is (None if truths[0] is None else not truths[0])


def test_undecided_parts_give_all_their_reasons_sorted() -> None:
    whole = every_of("", seen(None, "b"), seen(True), seen(None, "a"))
    assert (whole.truth, whole.reasons) == (None, ("a", "b"))
    assert every_of("", seen(None, "b"), seen(False)).reasons == ()


def test_only_the_parts_that_made_it_so_are_blamed() -> None:
    whole = any_of("", seen(True, text="good"), seen(False, text="bad"), seen(None, text="open"))
    assert [text for text, _ in whole.because] == ["good"]
    assert [text for text, _ in negated("", lambda: whole).because] == ["good"]


def test_a_leaf_shows_the_values_that_it_looked_at_and_its_evidence() -> None:
    found = leaf("x == 1", value(False), (("x", lambda: 2), ("y", value(None))), (lambda: "e1", lambda: ""))
    assert found.because == (("x == 1", {"x": 2, "y": "?"}),)
    assert found.evidence == ("e1",)


def body(member: int) -> Seen:
    """Above 2; undecided of 0."""
    return leaf("m > 2", value(None if member == 0 else member > 2))


@pytest.mark.parametrize(
    ("kind", "members", "truth", "witness"),
    [
        ("any", [1, 3, 4], True, 3),
        ("any", [0, 3], True, 3),
        ("any", [1, 0, 2], None, 0),
        ("any", [1, 2], False, None),
        ("any", [], False, None),
        ("every", [3, 1, 2], False, 1),
        ("every", [0, 1], False, 1),
        ("every", [3, 0], None, 0),
        ("every", [3, 4], True, None),
        ("every", [], True, None),
    ],
)
def test_a_quantifier_is_settled_by_a_known_member_and_binds_it(
    kind: str, members: list[int], truth: bool | None, witness: int | None
) -> None:
    found = quantified("q", kind, 7, lambda: members, None, body)
    assert found.truth is truth
    assert found.bound.get(7) == witness


def test_where_leaves_members_out() -> None:
    even = lambda member: leaf("even", value(member % 2 == 0))  # noqa: E731 - a thunk as generated code has it
    assert quantified("q", "any", 1, lambda: [3], even, body).truth is False
    assert quantified("q", "every", 1, lambda: [1, 4], even, body).truth is True
    assert counted(lambda: [1, 3, 4, 6], even, body) == 2


def test_a_list_that_is_not_known_leaves_the_quantifier_undecided() -> None:
    def unknown() -> list[int]:
        raise Undecided("no list")

    assert quantified("q", "any", 1, unknown, None, body).reasons == ("no list",)
    with pytest.raises(Undecided, match="no list"):
        counted(unknown, None, body)


def test_one_undecided_member_makes_a_count_undecided() -> None:
    assert counted(lambda: [3, 4, 1], None, body) == 2
    with pytest.raises(Undecided):
        counted(lambda: [3, 0], None, body)


def test_a_condition_in_the_place_of_a_value_is_undecided_as_a_whole() -> None:
    def unknown() -> bool:
        raise Undecided("not this one")

    assert decided(unknown, lambda: every_of("", seen(True))) is True
    assert decided(lambda: False, lambda: every_of("", seen(True))) is False  # the twin is not asked
    with pytest.raises(Undecided, match="why"):
        decided(unknown, lambda: every_of("", seen(None, "why")))


@pytest.mark.parametrize(
    ("found", "text"),
    [
        ("a", "a"),
        (True, "true"),
        (3, "3"),
        ((), "none"),
        (("a", "b"), "a, b"),
        (ABSENT, UNKNOWN),
        (PathValue("p", "/p"), "p"),
    ],
)
def test_a_message_prints_values_as_people_read_them(found: Any, text: str) -> None:
    assert printed(lambda: found) == text


def test_a_message_prints_a_question_mark_for_what_is_not_known_or_not_bound() -> None:
    assert printed(value(None)) == UNKNOWN
    assert printed(lambda: {}[1]) == UNKNOWN
    assert without_unknown(f"{UNKNOWN} changed. Run `pytest`.", "Tests pass") == "Tests pass. Run `pytest`."
    assert without_unknown("Nothing is unknown? No.", "Tests pass") == "Nothing is unknown? No."
    assert shown(value(None)) == "?"


def test_long_values_are_cut() -> None:
    assert len(shown(lambda: "x" * 1000)) == 200
    assert len(shown(lambda: list(range(99)))) == 20


@pytest.mark.parametrize(
    ("milliseconds", "text"),
    [(28_800_000, "8h"), (28_805_000, "8h"), (29_105_000, "8h 5m"), (1500, "1s 500ms"), (0, "0s"), (86_400_000, "1d")],
)
def test_a_duration_is_shown_in_its_two_largest_units(milliseconds: int, text: str) -> None:
    assert lasting(milliseconds) == text

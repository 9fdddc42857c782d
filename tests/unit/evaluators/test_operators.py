"""Operators answer, or say why they cannot; nothing of the wrong type is false by accident."""

from __future__ import annotations

from typing import Any

import pytest

from policy_engine.evaluators import operators as op
from policy_engine.model.undecided import ABSENT, Undecided
from policy_engine.model.world import Virtual

WORLD = Virtual()
A = WORLD.resolve("src/a.py", "/workspace")


def test_equality_tells_types_apart() -> None:
    assert op.same(1, 1.0) and op.same("a", "a") and op.same([1], (1,))
    for left, right in ((True, 1), (0, False), ("1", 1), (None, False), ([], "")):
        assert op.same(left, right) is False and op.same(right, left) is False


def test_lists_are_equal_member_by_member_and_told_apart_as_soon_as_possible() -> None:
    assert op.same([[1], "a"], ((1,), "a")) and not op.same([1], [True]) and not op.same([1], [1, 2])
    assert op.same_places(["src/a.py"], (A,), WORLD) and not op.same_places([A], ["a.py"], WORLD)

    def opened() -> Any:
        yield "a"
        raise Undecided("there may be more")

    class Open(tuple[str, ...]):
        """One known member, and perhaps others."""

        __slots__ = ()

        def __iter__(self) -> Any:
            return opened()

    assert op.same(Open(), []) is False and op.same(["b"], Open()) is False
    with pytest.raises(Undecided, match="more"):
        op.same(Open(), ["a"])


def test_a_path_is_among_texts_by_either_spelling_and_equal_by_place() -> None:
    assert op.same(A, "src/a.py") and op.same("/workspace/src/a.py", A)
    assert op.place("src/../src/a.py", WORLD) == A.real
    assert op.among("b", ("a", "b")) and not op.among(True, (1,))


def test_a_guarded_value_that_is_absent_after_all_is_undecided() -> None:
    assert op.present("x", "field") == "x"
    with pytest.raises(Undecided, match="`field` is absent"):
        op.present(ABSENT, "field")


def test_a_default_is_looked_at_only_where_the_value_is_absent() -> None:
    assert op.otherwise("x", lambda: 1 / 0) == "x"
    assert op.otherwise(ABSENT, lambda: "default") == "default"


def test_the_attribute_of_an_absent_record_is_absent() -> None:
    assert op.attribute(ABSENT, "path") is ABSENT
    assert op.attribute(A, "text") == "src/a.py"


@pytest.mark.parametrize("value", [True, "1", None, [1], {}, A])
def test_only_numbers_have_an_order(value: Any) -> None:
    with pytest.raises(Undecided, match="is not a number"):
        op.number(value)
    assert (op.number(3), op.number(0.5)) == (3, 0.5)


@pytest.mark.parametrize("value", [True, 1, None, ["a"], {}])
def test_only_texts_and_paths_are_text(value: Any) -> None:
    with pytest.raises(Undecided, match="is not text"):
        op.text(value)
    assert (op.text("a"), op.text(A)) == ("a", "src/a.py")


def test_a_text_holds_a_text_and_a_list_an_element() -> None:
    assert op.holds("abc", "b") and op.holds(["a", 1], 1) and not op.holds([1], True)
    for container, item in (("abc", 1), (5, "5"), ({"a": 1}, "a")):
        with pytest.raises(Undecided):
            op.holds(container, item)


def test_below_and_at_or_below_go_by_components() -> None:
    assert op.at_or_below(A, "src", WORLD) and op.at_or_below(A, A, WORLD) and not op.at_or_below(A, "sr", WORLD)
    assert op.below(A, "src", WORLD) and not op.below(A, A, WORLD)


def test_a_text_is_matched_as_a_path_of_the_workspace_and_no_text_is_no_path() -> None:
    assert op.matches_glob("src/a.py", (("src/*",), ()), WORLD) and op.matches_glob(A, (("/workspace/**",), ()), WORLD)
    assert op.matches_glob("", (("**",), ()), WORLD) is False
    with pytest.raises(Undecided):
        op.matches_glob(7, (("**",), ()), WORLD)


def test_a_regex_is_searched_for_anywhere() -> None:
    assert op.matches_regex("a Secret", ("secret", True)) and not op.matches_regex("a Secret", ("secret", False))
    assert op.matches_regex(A, ("a.py$", False))

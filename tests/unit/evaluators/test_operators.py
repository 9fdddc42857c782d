"""Operators answer, or say why they cannot; nothing of the wrong type is false by accident."""

from __future__ import annotations

from typing import Any

import pytest

from policy_engine.evaluators import operators as op
from policy_engine.filesystem.file_system import Virtual
from policy_engine.filesystem.paths import PathValue
from policy_engine.model.effects import OpenTuple
from policy_engine.model.undecided import ABSENT, Undecided

WORLD = Virtual()
A = WORLD.resolve("src/a.py", "/workspace")


def test_equality_tells_types_apart() -> None:
    assert op.same(1, 1.0) and op.same("a", "a") and op.same([1], (1,))
    unlike = [(True, 1), (0, False), ("1", 1), (None, False), ([], ""), (1, 2), (1, 1.5), ("a", "b"), (1.0, True)]
    for left, right in (*unlike, (None, 0), ({}, []), (A, 1), ((1,), 1)):
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


def test_a_path_equals_a_text_that_names_the_same_place_as_written() -> None:
    for text in ("src/a.py", "/workspace/src/a.py"):
        assert op.same(A, text) is True and op.same(text, A) is True
    for text in ("a.py", "/src/a.py", "src/../src/a.py"):
        assert op.same(A, text) is False and op.same(text, A) is False
    assert op.same(A, WORLD.resolve("../src/a.py", "/workspace/lib")) is True
    assert op.same(A, WORLD.resolve("src/b.py", "/workspace")) is False


def test_lists_of_paths_are_compared_by_place_and_in_order() -> None:
    b = WORLD.resolve("b", "/workspace")
    assert op.same_places([A, b], ["src/../src/a.py", "b"], WORLD) is True
    assert op.same_places([], [], WORLD) is True
    for other in ([b, A], [A], [A, b, b], [A, "c"], []):
        assert op.same_places([A, b], other, WORLD) is False and op.same_places(other, [A, b], WORLD) is False
    with pytest.raises(Undecided, match=r"^a number is not text$"):
        op.same_places([A], [1], WORLD)


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


KINDS = [
    (True, "a true/false value"), (None, "null"), ([1], "a list"), ({}, "an object"), ((1,), "this value"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "kind"), [*KINDS, ("1", "a text"), (A, "this value")])
def test_only_numbers_have_an_order(value: Any, kind: str) -> None:
    with pytest.raises(Undecided, match=f"^{kind} is not a number$"):
        op.number(value)
    assert (op.number(3), op.number(0.5)) == (3, 0.5)


@pytest.mark.parametrize(("value", "kind"), [*KINDS, (1, "a number"), (0.5, "a number")])
def test_only_texts_and_paths_are_text(value: Any, kind: str) -> None:
    with pytest.raises(Undecided, match=f"^{kind} is not text$"):
        op.text(value)
    assert (op.text("a"), op.text(A)) == ("a", "src/a.py")


def test_a_text_holds_a_text_and_a_list_an_element() -> None:
    assert op.holds("abc", "b") and op.holds(["a", 1], 1) and not op.holds([1], True)
    assert op.holds("src/a.py", A) and op.holds(A, "a.p") and op.holds((A,), "src/a.py") and op.holds(["x", A], A)
    assert not op.holds("abc", "d") and not op.holds((), "") and not op.holds(A, "b") and op.holds("", "")
    for container, item, kind in (("abc", 1, "a number"), (5, "5", "a number"), ({"a": 1}, "a", "an object")):
        with pytest.raises(Undecided, match=f"^{kind} is not text$"):
            op.holds(container, item)


def test_an_open_list_is_asked_for_a_text_and_answers_for_itself() -> None:
    opened = OpenTuple.of(["network"], {"install": "nobody knows"})
    assert op.holds(opened, "network") is True and op.holds(opened, "publish") is False
    with pytest.raises(Undecided, match=r"^nobody knows$"):
        op.holds(opened, "install")
    with pytest.raises(Undecided, match=r"^a number is not text$"):
        op.holds(opened, 1)


def test_a_value_within_is_absent_where_an_object_lacks_it_and_undecided_within_anything_else() -> None:
    value = {"a": {"b": [1], "c": None}}
    assert op.item(value, ("a", "b")) == [1]
    for keys in (("x",), ("a", "x"), ("a", "c", "x"), ("x", "y")):
        assert op.item(value, keys) is ABSENT
    for odd in ({"a": "text"}, {"a": [1]}, {"a": True}):
        with pytest.raises(Undecided, match="no object"):
            op.item(odd, ("a", "b"))


def test_an_object_has_keys_and_values_and_what_is_absent_has_none() -> None:
    assert [op.parts_of({"a": 1, "b": None}, name) for name in ("keys", "values")] == [("a", "b"), (1, None)]
    assert [op.parts_of(value, "keys") for value in (ABSENT, None)] == [ABSENT, ABSENT]
    for odd in ("ab", [1], 3, True):
        with pytest.raises(Undecided, match="has no values"):
            op.parts_of(odd, "values")


def test_only_a_list_has_members() -> None:
    assert op.elements([1]) == [1]
    for odd in ("ab", {"a": 1}, None, 3):
        with pytest.raises(Undecided, match="not a list"):
            op.elements(odd)


def test_lengths_are_of_texts_lists_and_objects_that_are_known_whole() -> None:
    assert [op.length_of(value) for value in ("añ", [1, 2], {"a": 1}, ())] == [2, 2, 1, 0]
    assert [op.lines_of(value) for value in ("", "a", "a\n", "a\nb", "\n\n")] == [0, 1, 1, 2, 2]
    for odd in (3, None, (PathValue.unknown("x", "nobody knows", number="any"),), OpenTuple.of([], {"*": "more"})):
        with pytest.raises(Undecided):
            op.length_of(odd)


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

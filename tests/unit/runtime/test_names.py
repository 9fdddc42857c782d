"""The globals of generated code: the same names, at once or each when it is first asked for; scanners that agree."""

from __future__ import annotations

import pytest

from policy_engine.model.undecided import ABSENT, Undecided
from policy_engine.runtime.names import LONG_TEXT, LazyNames, PlainScanner, names, predicate
from policy_engine.runtime.scanner import FEW, automaton_scanner


def test_a_lazy_name_is_the_same_object_as_the_one_that_was_there_from_the_start() -> None:
    lazy, whole = LazyNames(), names()
    assert sorted(set(whole) - set(lazy)) != []
    assert all(lazy[name] is value for name, value in whole.items())


def test_a_word_that_no_room_has_is_an_error_of_ours() -> None:
    with pytest.raises(KeyError):
        LazyNames()["nonsense"]


def test_generated_code_finds_absence_and_doubt_without_importing() -> None:
    assert LazyNames()["ABSENT"] is ABSENT
    assert LazyNames()["Undecided"] is Undecided


def test_a_predicate_is_found_by_its_module_and_kept() -> None:
    module = "policy_engine.predicates.todos"
    assert predicate(module, "todos_converged") is predicate(module, "todos_converged")
    assert predicate(module, "todos_converged")([]) is True


@pytest.mark.parametrize("count", [1, FEW, FEW + 1, 200])
@pytest.mark.parametrize("size", [0, 40, LONG_TEXT + 1])
def test_scanners_agree_on_small_and_large_tables_and_texts(count: int, size: int) -> None:
    table = {f"literal-{number}-": (number, number + 1000) for number in range(count)}
    text = "x" * size + "literal-0-literal-7-"
    expected = {number + more for number in (0, 7) if number < count for more in (0, 1000)}
    assert set(PlainScanner(table)(text)) == set(automaton_scanner(table)(text)) == expected

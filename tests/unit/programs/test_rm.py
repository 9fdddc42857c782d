"""`rm` deletes its operands, and what is below them if it is recursive."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from policy_engine.filesystem.file_system import Virtual
from policy_engine.model.undecided import Undecided
from policy_engine.shell.parse import parse


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("rm -rf build /etc", ["delete build/**", "delete /etc/**"]),
        ("rm --recur x", ["delete x/**"]),
        ("rm -f a", ["delete a"]),
        ("rm -- -r", ["delete -r"]),
        ("rm '~'", ["delete ~"]),
    ],
)
def test_it_touches_its_operands(touched: Callable[[str], list[str]], line: str, expected: list[str]) -> None:
    assert touched(line) == expected


@pytest.mark.parametrize("line", ["rm -Z x", "rm --r=1 x"])
def test_what_is_not_modelled_is_undecided(touched: Callable[[str], list[str]], line: str) -> None:
    with pytest.raises(Undecided):
        touched(line)


def test_only_without_force_does_success_prove_the_deletion() -> None:
    found = [parse(line, "/workspace", Virtual())[0].evident for line in ("rm a", "rm -f a", "rm -rf a")]
    assert found == [True, False, False]

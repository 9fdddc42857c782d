"""`cd` looks at the folder it goes to."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from policy_engine.model.undecided import Undecided


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("cd src", ["read src"]),
        ("cd", ["read /home/user"]),
        ("cd -P ..", ["read /"]),
    ],
)
def test_it_touches_its_operands(touched: Callable[[str], list[str]], line: str, expected: list[str]) -> None:
    assert touched(line) == expected


@pytest.mark.parametrize("line", ["cd -"])
def test_what_is_not_modelled_is_undecided(touched: Callable[[str], list[str]], line: str) -> None:
    with pytest.raises(Undecided):
        touched(line)

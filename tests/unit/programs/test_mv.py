"""`mv` deletes here and writes there."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from policy_engine.model.undecided import Undecided


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("mv a b", ["delete a", "write b"]),
        ("mv src docs", ["delete src/**", "write docs/src/**"]),
        ("mv -t docs a b", ["delete a", "write docs/a", "delete b", "write docs/b"]),
        ("mv -T a docs", ["delete a", "write docs"]),
    ],
)
def test_it_touches_its_operands(touched: Callable[[str], list[str]], line: str, expected: list[str]) -> None:
    assert touched(line) == expected


@pytest.mark.parametrize("line", ["mv .. docs", "mv -x a b"])
def test_what_is_not_modelled_is_undecided(touched: Callable[[str], list[str]], line: str) -> None:
    with pytest.raises(Undecided):
        touched(line)

"""`cp` reads here and writes there."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from policy_engine.model.undecided import Undecided


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("cp src/a.py docs", ["read src/a.py", "write docs/a.py"]),
        ("cp -r src new", ["read src/**", "write new/**"]),
        ("cp -T a docs", ["read a", "write docs"]),
        ("cp a b docs/", ["read a", "write docs/a", "read b", "write docs/b"]),
    ],
)
def test_it_touches_its_operands(touched: Callable[[str], list[str]], line: str, expected: list[str]) -> None:
    assert touched(line) == expected


@pytest.mark.parametrize("line", ["cp --no-such a b", "cp -r .. docs"])
def test_what_is_not_modelled_is_undecided(touched: Callable[[str], list[str]], line: str) -> None:
    with pytest.raises(Undecided):
        touched(line)

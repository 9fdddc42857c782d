"""`ls` looks at its operands, or at where it is."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from policy_engine.model.undecided import Undecided


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("ls", ["read "]),
        ("ls -R src", ["read src/**"]),
        ("ls -I x src", ["read src"]),
    ],
)
def test_it_touches_its_operands(touched: Callable[[str], list[str]], line: str, expected: list[str]) -> None:
    assert touched(line) == expected


@pytest.mark.parametrize("line", ["ls --no-such"])
def test_what_is_not_modelled_is_undecided(touched: Callable[[str], list[str]], line: str) -> None:
    with pytest.raises(Undecided):
        touched(line)

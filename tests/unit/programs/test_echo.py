"""`echo` touches nothing, whatever it says."""

from __future__ import annotations

from collections.abc import Callable

import pytest


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("echo -n rm -rf /", []),
        ("echo --no-such", []),
    ],
)
def test_it_touches_its_operands(touched: Callable[[str], list[str]], line: str, expected: list[str]) -> None:
    assert touched(line) == expected

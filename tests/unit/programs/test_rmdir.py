"""`rmdir` deletes empty folders, with `-p` those above too."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from policy_engine.model.undecided import Undecided


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("rmdir a/b", ["delete a/b"]),
        ("rmdir -p a/b/", ["delete a/b", "delete a"]),
    ],
)
def test_it_touches_its_operands(touched: Callable[[str], list[str]], line: str, expected: list[str]) -> None:
    assert touched(line) == expected


@pytest.mark.parametrize("line", ["rmdir -r a"])
def test_what_is_not_modelled_is_undecided(touched: Callable[[str], list[str]], line: str) -> None:
    with pytest.raises(Undecided):
        touched(line)

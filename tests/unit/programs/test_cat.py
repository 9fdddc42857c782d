"""`cat` reads its operands."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from policy_engine.model.undecided import Undecided
from policy_engine.model.world import Virtual
from policy_engine.shell.parse import parse


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("cat -n src/a.py -", ["read src/a.py"]),
        ("cat", []),
    ],
)
def test_it_touches_its_operands(touched: Callable[[str], list[str]], line: str, expected: list[str]) -> None:
    assert touched(line) == expected


@pytest.mark.parametrize("line", ["cat --no-such x"])
def test_what_is_not_modelled_is_undecided(touched: Callable[[str], list[str]], line: str) -> None:
    with pytest.raises(Undecided):
        touched(line)


def test_it_shows_what_it_reads() -> None:
    assert [parse(line, "/workspace", Virtual())[0].shows_content for line in ("cat a", "ls a")] == [True, False]

"""`touch` writes its operands and reads its reference."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from policy_engine.filesystem.file_system import Virtual
from policy_engine.model.undecided import Undecided
from policy_engine.shell.parse import parse


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("touch -r src/a.py x", ["write x", "read src/a.py"]),
        ("touch -d now x -", ["write x"]),
    ],
)
def test_it_touches_its_operands(touched: Callable[[str], list[str]], line: str, expected: list[str]) -> None:
    assert touched(line) == expected


@pytest.mark.parametrize("line", ["touch -q x"])
def test_what_is_not_modelled_is_undecided(touched: Callable[[str], list[str]], line: str) -> None:
    with pytest.raises(Undecided):
        touched(line)


def test_success_proves_no_change_of_content() -> None:
    assert parse("touch a", "/workspace", Virtual())[0].evident is False

"""`cat` reads its operands."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from policy_engine.effects.command import effects_of
from policy_engine.filesystem.file_system import Virtual
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


def test_no_option_of_it_harms(touched: Callable[[str], list[str]]) -> None:
    assert touched("cat --no-such x") == ["read x"]
    assert [effects_of(parse(line, "/workspace", Virtual())[0]).read_only for line in ("cat x", "cat --no-such x")] == [
        True,
        True,
    ]


def test_it_shows_what_it_reads() -> None:
    assert [parse(line, "/workspace", Virtual())[0].shows_content for line in ("cat a", "ls a")] == [True, False]

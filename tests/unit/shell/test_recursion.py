"""Functions that call themselves: followed twice, the second time with nothing known, and seen for bombs."""

from __future__ import annotations

import pytest

from policy_engine.effects.analysis import analysis_of
from policy_engine.filesystem.file_system import Virtual
from policy_engine.model.partial import is_known
from policy_engine.shell.parse import parse


def _commands(line: str) -> list[tuple[str, ...]]:
    return [command.argv for command in parse(line, "/workspace", Virtual())]


@pytest.mark.parametrize("line", ["f() { f; f; }; f", "f() { g; }; g() { f; }; f", "f() { if a; then f; fi; }; f"])
def test_a_function_that_calls_itself_comes_to_an_end(line: str) -> None:
    assert ("fork-bomb",) not in _commands(line)


def test_what_it_is_given_the_second_time_is_not_known() -> None:
    first, second = _commands('f() { rm "$1"; f "$1/.."; }; f build')
    assert first == ("rm", "build")
    assert not is_known(second[1])


def test_the_folder_after_it_is_not_known() -> None:
    commands = parse("f() { cd ..; f; }; f; ls", "/workspace", Virtual())
    assert not analysis_of(commands[-1]).cwd.known


@pytest.mark.parametrize(
    "line",
    [
        ":(){ :|:& };:", "f() { f | f; }; f", "f() { f & f; }; f", "while true; do sh & done",
        "while :; do a & b & done",
    ],
)  # fmt: skip
def test_processes_without_end_are_a_bomb(line: str) -> None:
    assert ("fork-bomb",) in _commands(line)


@pytest.mark.parametrize(
    "line",
    [
        "f() { [ $1 -gt 0 ] && f 1 | cat; }; f 3", "f() { echo hi; }; f | cat &", "while true; do a & wait; done",
        "while true; do sleep 1; done", "for i in 1 2; do a & done",
    ],
)  # fmt: skip
def test_what_ends_is_no_bomb(line: str) -> None:
    assert ("fork-bomb",) not in _commands(line)

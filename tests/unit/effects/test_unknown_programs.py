"""What is surely done by a program that is not known: nothing, what it reads and runs included."""

from __future__ import annotations

import pytest

from policy_engine.effects.command import effects_of
from policy_engine.filesystem.file_system import Virtual
from policy_engine.model.undecided import Undecided
from policy_engine.shell.parse import parse


@pytest.mark.parametrize("line", ["$X -q &", '"$X" -q', "$(cat name) a"])
def test_it_is_undecided_whether_an_unknown_program_runs_what_it_reads(line: str) -> None:
    command = parse(line, "/workspace", Virtual())[-1]
    with pytest.raises(Undecided):
        "executes-input" in effects_of(command).effects  # noqa: B015 -- asking raises


def test_a_known_shell_runs_what_it_reads() -> None:
    (command,) = parse("sh -s", "/workspace", Virtual())
    assert "executes-input" in effects_of(command).effects


@pytest.mark.parametrize("name", ["args", "flags", "assignments"])
@pytest.mark.parametrize("line", ["$X src -name a -exec rm {} ;", "A=1 $X -n env B=2 rm a"])
def test_no_word_of_an_unknown_program_is_sure(line: str, name: str) -> None:
    words = getattr(parse(line, "/workspace", Virtual())[0], name)
    with pytest.raises(Undecided):
        list(words)
    with pytest.raises(Undecided):
        "-exec" in words  # noqa: B015 -- asking raises

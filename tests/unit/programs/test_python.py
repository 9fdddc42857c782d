"""`python` has options of its own before the module or script; a module that is a program is read as one."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from policy_engine.filesystem.file_system import Virtual
from policy_engine.model.undecided import Undecided
from policy_engine.shell.parse import parse


def test_it_runs_a_script_or_a_module(touched: Callable[[str], list[str]]) -> None:
    assert touched("python src/a.py") == ["read src/a.py"]
    assert touched("python -m pytest src") == ["read src/**"]


@pytest.mark.parametrize("line", ["python -Z x.py"])
def test_what_is_not_modelled_is_undecided(touched: Callable[[str], list[str]], line: str) -> None:
    with pytest.raises(Undecided):
        touched(line)


def test_its_options_end_at_the_module() -> None:
    (command,) = parse("python3.11 -B -m pytest -q", "/workspace", Virtual())
    assert (command.program, command.flag_values("-m")) == ("python3.11", ("pytest",))
    assert command.has_flag("-B") is True
    assert command.has_flag("-q") is False

"""`git` has options of its own before the subcommand; its effects are not modelled."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from policy_engine.model.undecided import Undecided
from policy_engine.model.world import Virtual
from policy_engine.shell.parse import parse


@pytest.mark.parametrize("line", ["git push", "git -C x status"])
def test_what_is_not_modelled_is_undecided(touched: Callable[[str], list[str]], line: str) -> None:
    with pytest.raises(Undecided):
        touched(line)


def test_the_subcommand_is_found_behind_the_global_options() -> None:
    (command,) = parse("git -C x -c a.b=c --no-pager push --force", "/workspace", Virtual())
    assert (command.subcommand, command.flags) == ("push", ("-C", "-c", "--no-pager"))
    assert command.has_flag("-c") is True
    assert command.has_flag("--force") is False

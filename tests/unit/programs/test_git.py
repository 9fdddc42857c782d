"""`git` has options of its own before the subcommand; a subcommand that is not known may be an alias."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from policy_engine.effects.command import effects_of
from policy_engine.filesystem.file_system import Virtual
from policy_engine.model.undecided import Undecided
from policy_engine.shell.parse import parse


def test_it_runs_where_its_options_say(touched: Callable[[str], list[str]]) -> None:
    assert sorted(touched("git -C docs add x.md")) == ["read docs/x.md", "write docs"]


def test_what_an_alias_does_is_undecided() -> None:
    (command,) = parse("git yolo", "/workspace", Virtual())
    with pytest.raises(Undecided, match="alias"):
        assert "network" in effects_of(command).effects


def test_the_subcommand_is_found_behind_the_global_options() -> None:
    (command,) = parse("git -C x -c a.b=c --no-pager push --force", "/workspace", Virtual())
    assert (command.subcommand, command.flags) == ("push", ("-C", "-c", "--no-pager", "--force"))
    assert command.has_flag("-c") is True
    assert command.has_flag("--force") is True


def test_a_file_that_add_names_is_taken_along() -> None:
    filesystem = Virtual()
    for name in (".env", "src/a.py"):
        filesystem.write(filesystem.resolve(name, filesystem.workspace), b"x")
    for line, reads in (("git add .env", [".env"]), ("git add src gone.py", []), ("git add -f dist/a", ["dist/a"])):
        (command,) = parse(line, "/workspace", filesystem)
        assert [path.text for path in effects_of(command).reads] == reads

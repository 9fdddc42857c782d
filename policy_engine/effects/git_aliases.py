"""Give a call of git the aliases that earlier commands of its line set. Asked only behind another call of git.

On the hook path.
"""

from __future__ import annotations

from policy_engine.model.undecided import Undecided
from policy_engine.programs.base import find_program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.programs.base import Arguments
    from policy_engine.shell.command import SimpleCommand

_LEAVES = ("--unset", "--unset-all", "--get", "--get-all", "--get-regexp", "-f", "--file", "--blob")


def with_aliases(command: SimpleCommand) -> Arguments:
    """Return its words behind a `-c` for each alias. Raises Undecided as `arguments` does."""
    arguments = command.arguments()
    aliases = [alias for one in command.before if one.name == "git" and (alias := _alias_set(one))]
    if not aliases:
        return arguments
    made = arguments.of(arguments.operands)
    made.options = [*(("-c", alias) for alias in aliases), *arguments.options]
    return made


def _alias_set(command: SimpleCommand) -> str:
    """Return the alias that a command sets, `KEY=LINE`, "" for other commands."""
    config = find_program("git-config")
    try:
        words = command.arguments().operands
        if words[:1] != ["config"] or config is None:
            return ""
        given = config.arguments(tuple(words[1:]))
    except Undecided:
        return ""
    operands = given.operands[1:] if given.operands[:1] == ["set"] else given.operands
    if len(operands) < 2 or not operands[0].lower().startswith("alias.") or given.has(*_LEAVES):
        return ""
    return "=".join(operands[:2])

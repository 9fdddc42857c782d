"""Parse a script in the dialect of the shell that reads it. Imported by the hook path."""

from __future__ import annotations

from policy_engine.shell.lexer import Budget
from policy_engine.shell.parser import Parser

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.shell.tree import Sequence


def parse_script(source: str, dialect: str = "bash", budget: Budget | None = None) -> Sequence:
    """The commands of a script for `bash`, `sh` or `zsh`.

    Raises Undecided for what the shell refuses, and for what `sh` or `zsh` read otherwise than bash.
    """
    reader = Parser
    if dialect == "zsh":
        from policy_engine.shell.zsh import ZshParser

        reader = ZshParser
    return reader(source, dialect, Budget() if budget is None else budget, "extglob" in source).script()

"""Apply the links and moves that code of the line makes (`python -c`, a here-document) to its later commands.

Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.inline.code import analyse
from policy_engine.inline.values import Start
from policy_engine.model.partial import is_known
from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.programs.base import Program
    from policy_engine.shell.command import SimpleCommand

_NAMES = ("link", "ln", "rename", "replace", "move", "mv")  # one of which is in every call that links or moves


def left_by_code(command: SimpleCommand, program: Program) -> FileSystem:
    """Return the filesystem behind a program that runs code; the same one if no code of the line changes it."""
    texts = (*command.argv[1:], command.feed or "")
    if not any(name in text for text in texts for name in _NAMES):
        return command.filesystem
    try:
        analysis = program.effects(
            command.arguments(), command.cwd, command.filesystem, command.env, command.name, command.feed
        )
        if "executes-input" in analysis.words and command.feed is not None and is_known(command.feed):
            analyse(command.feed, analysis, start=Start("-"))
    except Undecided:
        return command.filesystem
    return analysis.filesystem

"""Predicates about command texts: whether programs on the search path or files of the workspace can run them."""

from __future__ import annotations

from policy_engine.history.goal import is_command
from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.predicates.base import Needle

NEEDS = "filesystem"


def can_run(filesystem: FileSystem, command: Needle) -> bool:
    """True if the text is a command that can be run here and that ends by itself.

    Its first word is a program on the search path or a file of the workspace; assignments before it are left out. An
    identifier, a branch, a symbol is none, and neither is what starts a server or another agent (`npm run dev`).

    Holds:

        can_run("npm test") and can_run("CI=1 make check")

    Does not hold:

        can_run("npm run dev")
    """
    if type(command) is not str:
        raise Undecided("a regex is no command")
    return is_command(command, filesystem)

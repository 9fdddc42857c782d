"""A command among the others of its line → whether what it runs was fetched or decoded by one of them.

Looked at when a rule asks for the effects of a command that runs what it is given. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.paths import below
from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.model.paths import PathValue
    from policy_engine.shell.command import SimpleCommand

_FOREIGN = ("network", "decodes")


def trace(command: SimpleCommand, line: tuple[SimpleCommand, ...]) -> None:
    """Add `executes-remote` to the command's effects where the line gives it foreign code to run."""
    scene = command._scene
    if "executes-input" in scene.words and any(_feeds(other, command, line) for other in line if other is not command):
        scene.does("executes-remote")
        scene.doubts.pop("executes-remote", None)
    if scene.runs and any(_same(file, path) for path in _fetched(line, command) for file in scene.runs):
        scene.does("executes-remote")


def _foreign(command: SimpleCommand) -> bool:
    try:
        words = command._scene.words
    except Undecided:
        return False
    return any(word in words for word in _FOREIGN)


def _feeds(other: SimpleCommand, command: SimpleCommand, line: tuple[SimpleCommand, ...]) -> bool:
    """Through a pipe, a substitution, or a variable or descriptor that was given its output before."""
    if not _foreign(other):
        return False
    if other.name in command.piped_from or any(other.text in text for text in command.sources):
        return True
    keeps = [one for one in line if one.name in (":", "exec", "export", "declare", "local", "readonly", "read")]
    return any(other.text in text for one in keeps for text in one.sources)


def _fetched(line: tuple[SimpleCommand, ...], command: SimpleCommand) -> list[PathValue]:
    """The files that hold what the line fetched, before the command: written by who fetched, piped or copied."""
    found: list[PathValue] = []
    for other in line:
        if other is command:
            break
        try:
            scene = other._scene
        except Undecided:
            continue
        tainted = "network" in scene.words or any(_foreign(one) and one.name in other.piped_from for one in line)
        if not tainted:
            tainted = any(_same(read, path) for path in found for read in scene.contents)
        if tainted:
            found += [path for path in scene.paths if path.access == "write"]
    return found


def _same(left: PathValue, right: PathValue) -> bool:
    if left.known and right.known:
        return left.real == right.real or (right.recursive and below(left.real, right.real))
    return left.known == right.known and left.text == right.text

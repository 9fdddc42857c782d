"""Find what a command touches through symbolic links that earlier commands of its line make.

Paths are resolved on the disk as it is before the line runs, where such a link is not there yet. Imported by the hook
path.
"""

from __future__ import annotations

from policy_engine.model.paths import PathValue, under
from policy_engine.model.undecided import Undecided
from policy_engine.programs.base import find_program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.shell.command import SimpleCommand

MOST = 64  # links of one line that are followed


def through_links(command: SimpleCommand, paths: list[PathValue]) -> list[PathValue]:
    """Return the places that paths lead to through links which other commands of the line make."""
    links = [link for other in command.line if other is not command and other.name == "ln" for link in _made(other)]
    found: list[PathValue] = []
    waiting = [path for path in paths if path.known and path.access not in ("", "read")] if links else []
    while waiting and len(found) < MOST:
        path = waiting.pop()
        for name, target in links:
            if under(path.real, name) and target != name:
                real = target + path.real[len(name) :]
                if all(one.real != real or one.access != path.access for one in (*paths, *found)):
                    found.append(PathValue(path.text, real, path.access, path.recursive))
                    waiting.append(found[-1])
    return found


def _made(command: SimpleCommand) -> list[tuple[str, str]]:
    """Return (link, target) of an `ln -s`; nothing of one that is not understood."""
    program = find_program("ln")
    try:
        arguments = command.arguments()
        if program is None or not arguments.has("-s", "--symbolic"):
            return []
        scene = program.effects(arguments, command.cwd, command.world, (), "ln")
    except Undecided:
        return []
    sources = [path.real for path in scene.paths if path.known and path.access == "read"]
    names = [path.real for path in scene.paths if path.known and path.access == "write"]
    return list(zip(names, sources, strict=True)) if len(names) == len(sources) else []

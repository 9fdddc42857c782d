"""Read lists of names that a line is given in a file: `xargs -a files.txt`, `while read -r f; do … done < files.txt`.

Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.filesystem.paths import under
from policy_engine.model.partial import FOLDER, ONE, is_known
from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.filesystem.paths import PathValue
    from policy_engine.shell.command import SimpleCommand
    from policy_engine.shell.walk import Walker

_LIST_BYTES = 65_536
_NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./@+-")
_LEAVE_FILES = frozenset(
    "xargs cd read mapfile readarray echo printf test [ : true set export ls pwd cat head tail grep egrep fgrep wc cut "
    "tr comm cmp basename dirname stat".split()
)  # none of which has an option that names a file to write


def names_shown(walker: Walker, command: SimpleCommand) -> str:
    """Return the names that `cat LIST` prints; `ONE` of any other command."""
    if command.argv[0] != "cat" or len(command.argv) != 2 or command.redirects:
        return ONE
    try:
        return names_in(walker, command.argv[1], command.cwd)
    except Undecided:
        return ONE


def names_in(walker: Walker, name: str, cwd: PathValue | None) -> str:
    """Return the names, one a line, in a list that is there now; `ONE` where it is none, or the line may change it."""
    name = name.removeprefix(FOLDER)
    if not is_known(name) or not all(map(leaves_files, walker.commands)):
        return ONE
    try:
        file = walker.filesystem.resolve(name, None if cwd is None else cwd.real)
        inside = under(file.real, "/tmp") or walker.filesystem.relative(file) is not None
        text = walker.filesystem.script(file, _LIST_BYTES) if inside else None
    except Undecided:
        return ONE
    lines = (text or "").splitlines()
    plain = lines and all(line and line[0] != "-" and set(line) <= _NAME for line in lines)
    return "\n".join(lines) + "\n" if plain else ONE


def leaves_files(command: SimpleCommand) -> bool:
    """Return whether a command before changes no file."""
    return command.name in _LEAVE_FILES and all(str(redirect)[:2] == "< " for redirect in command.redirects)

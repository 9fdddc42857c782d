"""Read lists of names that a line is given in a file: `xargs -a files.txt`, `while read -r f; do … done < files.txt`.

A script, within which no doubt counts, is given any text so: `eval "$(cat steps.txt)"` runs what the file holds.

Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.filesystem.paths import under
from policy_engine.model.partial import FOLDER, ONE, is_known
from policy_engine.model.undecided import Undecided
from policy_engine.programs.secret_values import SECRETS
from policy_engine.shell.command import SimpleCommand
from policy_engine.shell.filters import filtered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.filesystem.paths import PathValue
    from policy_engine.shell.walk import Walker

_LIST_BYTES = 65_536
_NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./@+-")
_LEAVE_FILES = frozenset(
    "xargs cd read mapfile readarray echo printf test [ : true set export ls pwd cat head tail grep egrep fgrep wc cut "
    "tr comm cmp basename dirname stat".split()
)  # none of which has an option that names a file to write


def names_shown(walker: Walker, command: SimpleCommand) -> str:
    """Return the names, or within a script the text, that `cat LIST` or another filter prints; `ONE` where that is not
    known.
    """
    *words, name = command.argv
    if command.argv == (":",) and command.text.lstrip()[:1] == "<" and len(command.redirects) == 1:
        return command.feed or ONE  # `$(< LIST)`
    if not words or command.redirects:
        return ONE
    try:
        if words == ["cat"]:
            return names_in(walker, name, command.cwd)
        return _chosen(walker, command, words, name) if walker.in_script else ONE
    except Undecided:
        return ONE


def _chosen(walker: Walker, command: SimpleCommand, words: list[str], name: str) -> str:
    """Return what a filter prints of the file that its last word names."""
    text = names_in(walker, name, command.cwd)
    if text == ONE:
        return ONE
    if words[0] == "cat":
        texts = [names_in(walker, word, command.cwd) for word in (*words[1:], name) if word[:1] != "-"]
        return ONE if ONE in texts else "".join(texts)
    filtering = SimpleCommand(tuple(words), command.text, None, command.filesystem)
    filtering.feed = text
    return filtered(filtering)


def names_in(walker: Walker, name: str, cwd: PathValue | None) -> str:
    """Return the names, one a line, in a list that is there now, within a script any text; `ONE` where the file is
    none such, or may be changed before it is read.
    """
    name = name.removeprefix(FOLDER)
    unchanged = all(map(leaves_files, walker.commands))
    if not is_known(name) or not (unchanged or (walker.in_script and not _is_named(name, walker.commands))):
        return ONE
    try:
        file = walker.filesystem.resolve(name, None if cwd is None else cwd.real)
        inside = under(file.real, "/tmp") or walker.filesystem.relative(file) is not None
        text = walker.filesystem.script(file, _LIST_BYTES) if inside else None
    except Undecided:
        return ONE
    lines = (text or "").splitlines()
    plain = lines and all(line and line[0] != "-" and set(line) <= _NAME for line in lines)
    if walker.in_script and text and is_known(text) and not _may_be_secret(name):
        return text
    return "\n".join(lines) + "\n" if plain and unchanged else ONE


def _is_named(name: str, commands: list[SimpleCommand]) -> bool:
    """Return whether a command before names a file, by its last name."""
    last = name.rpartition("/")[2]
    return any(last in command.text for command in commands if not leaves_files(command))


def _may_be_secret(name: str) -> bool:
    """Return whether a file may hold a secret, by its name: what it holds is not made part of other words."""
    last = name.rpartition("/")[2].upper()
    return last[:1] == "." or any(part in last for part in (*SECRETS, "PEM"))


def leaves_files(command: SimpleCommand) -> bool:
    """Return whether a command before changes no file."""
    return command.name in _LEAVE_FILES and all(str(redirect)[:2] == "< " for redirect in command.redirects)

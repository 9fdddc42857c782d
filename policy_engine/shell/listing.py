"""The names that `grep -l`, `git ls-files` and their kin print, where the folders to look in are named.

They name some of the files that are there now: all of them stand for those, unless one is hidden, which more guards
care for. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.partial import GLOB, is_known
from policy_engine.model.undecided import Undecided
from policy_engine.programs.find_expression import MOST_FILES
from policy_engine.shell.wrapping_lists import found_words
from policy_engine.shell.wrapping_words import options_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.shell.command import SimpleCommand

_GREP = ("efmABCdDgtTj", ("regexp", "file", "max-count", "include", "exclude", "exclude-dir", "glob", "type", "color"))
_LISTS = frozenset("lL")
_GIT = (
    ("ls-files",),
    ("diff", "--name-only"),
    ("diff", "--cached", "--name-only"),
    ("diff", "--name-only", "--cached"),
)


def names_listed(command: SimpleCommand) -> str:
    """Return the names, one a line; "" if the command lists none, or if they are not known."""
    name, words = command.argv[0].rpartition("/")[2], list(command.argv[1:])
    if name == "git" and words[:1] == ["ls-files"] and (tracked := _tracked(command, words[1:])):
        return tracked
    if name in ("grep", "egrep", "fgrep", "rg", "ag"):
        places = _searched(name, words)
    elif name == "git":
        places = next(([*words[len(verb) :]] for verb in _GIT if tuple(words[: len(verb)]) == verb), [])
        places = [word for word in places if word != "--"]
    elif name == "ls" and words and words[0][:1] != "-" and len(words) == 1:
        return ""
    else:
        return ""
    if not places or any(word[:1] == "-" for word in places):
        return ""
    if all(GLOB in word for word in places) and name != "git":
        return "\n".join(places)
    return _below(command, places)


def _tracked(command: SimpleCommand, words: list[str]) -> str:
    """Return what `git ls-files` prints of the index as it is now; "" where that cannot be known.

    A name with a blank, or one that begins with `-`, may be an option to what reads it.
    """
    patterns = [word for word in words if word not in ("--", "-c", "--cached")]
    if any(word[:1] == "-" or not is_known(word) or _is_odd(word) for word in patterns) or _changes_index(command):
        return ""
    world = command.world
    try:
        data = world.read(world.resolve(".git/index", command.cwd.real))
    except Undecided:
        return ""
    names = _names(data) if isinstance(data, bytes) else None
    if names is None or any(name[:1] == "-" or len(name.split()) != 1 for name in names):
        return ""
    found = [name for name in names if not patterns or any(_fits(name, pattern) for pattern in patterns)]
    if len(found) > MOST_FILES:
        found = [
            f"{top}/{GLOB}**" if rest else top
            for top, rest in {name.partition("/")[::2][0]: "/" in name for name in found}.items()
        ]
    return "\n".join(found)


def _is_odd(pattern: str) -> bool:
    """Return whether a pathspec is more than a place, or `*` with an ending."""
    return pattern[:1] == ":" or any(char in pattern.removeprefix("*") for char in "*?[")


def _fits(name: str, pattern: str) -> bool:
    place = pattern.removeprefix("./").rstrip("/")
    return (
        name.endswith(pattern[1:]) if pattern[:1] == "*" else place in ("", ".", name) or name.startswith(f"{place}/")
    )


def _changes_index(command: SimpleCommand) -> bool:
    """Return whether the line holds another command of git that may change what is tracked."""
    return any(one is not command and one.name == "git" and one.argv[1:2] != ("ls-files",) for one in command.line)


def _names(index: bytes) -> list[str] | None:
    """Return the names in an index of git; None unless it is of version 2 or 3, with object names of 20 bytes."""
    version, count = int.from_bytes(index[4:8], "big"), int.from_bytes(index[8:12], "big")
    if index[:4] != b"DIRC" or version not in (2, 3):
        return None
    found, place = [], 12
    for _ in range(count):
        flags = int.from_bytes(index[place + 60 : place + 62], "big")
        start = place + (64 if version == 3 and flags & 0x4000 else 62)
        end = index.find(b"\0", start)
        if end < start or min(end - start, 0xFFF) != flags & 0xFFF:
            return None
        found.append(index[start:end].decode("utf-8", "replace"))
        place += (end - place + 8) & ~7
    return found


def _searched(name: str, words: list[str]) -> list[str]:
    """The files and folders in which a search looks that prints names only."""
    flags, operands = [], []
    waiting = list(words)
    while waiting:  # options stand behind operands too
        options = options_of(waiting, *_GREP)
        if options is None:
            return []
        flags += [*options.flags, *(option for option, _ in options.pairs)]
        operands += options.rest[:1]
        waiting = options.rest[1:]
    short = {letter for flag in flags if flag[:2] != "--" for letter in flag[1:]}
    lists = bool(short & _LISTS) or any(flag.startswith("--files-with") for flag in flags)
    given = {"-e", "-f", "--regexp", "--file"}.intersection(flags)
    return operands[0 if given else 1 :] if lists and (name == "rg" or name == "ag" or operands) else []


def _below(command: SimpleCommand, places: list[str]) -> str:
    """The files at or below places that are there; "" if one is hidden, or a place is the folder itself or outside."""
    world = command.world
    try:
        cwd = command.cwd
        for place in places:
            if not is_known(place):
                return ""
            start = world.resolve(place, cwd.real)
            if not world.relative(start) or not world.present(start):
                return ""
            if any("/." in real[len(start.real) :] for real in world.files_below(start)):
                return ""
    except Undecided:
        return ""
    found = found_words(("find", *places, "-type", "f"), cwd, world)
    return "\n".join(found)

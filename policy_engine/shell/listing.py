"""The names that `grep -l`, `git ls-files` and their kin print, where the folders to look in are named.

They name some of the files that are there now: all of them stand for those, unless one is hidden, which more guards
care for. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.partial import GLOB, is_known
from policy_engine.model.undecided import Undecided
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

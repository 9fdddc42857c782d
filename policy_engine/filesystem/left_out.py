"""Patterns of names that a program leaves out of what it reads below a folder (`--exclude=.env`).

Only those that all such programs read in one way: a name with `*` and `?`, of files and folders anywhere; behind `./`
in the folder itself. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.partial import is_known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_ODD = frozenset("/[]{}\\#")
_TAKES_BACK = ("!", "+")


def plain_patterns(patterns: Iterable[str | None]) -> tuple[str, ...]:
    """Return those of the patterns that are plain; none where one takes back what others leave out, or is not known.

    None stands for a list that cannot be read.
    """
    made = []
    for pattern in patterns:
        if pattern is None or not is_known(pattern) or pattern.lstrip()[:1] in _TAKES_BACK:
            return ()
        if pattern and not _ODD & set(pattern.removeprefix("./")):
            made.append(pattern)
    return tuple(made)


def is_left_out(path: str, folder: str, patterns: tuple[str, ...]) -> bool:
    """Return whether a name on the way from the folder to the path fits one of the patterns."""
    from fnmatch import fnmatchcase

    names = path[len(folder.rstrip("/")) + 1 :].split("/")
    names.append(f"./{names[0]}")
    return any(fnmatchcase(name, pattern) for name in names for pattern in patterns)

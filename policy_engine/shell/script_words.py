"""Read words of a script without running it: the text of one, what it stands for, whether it may give a value.

Imported when a line ran tests.
"""

from __future__ import annotations

import re
from fnmatch import fnmatchcase

from policy_engine.model.partial import GLOB, is_known
from policy_engine.model.undecided import Undecided
from policy_engine.shell import tree
from policy_engine.shell.tree import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from policy_engine.filesystem.file_system import FileSystem


def nodes(part: Any) -> Iterator[Any]:
    """All values of a tree below one, itself included."""
    if isinstance(part, tuple):
        for one in part:
            yield from nodes(one)
    elif isinstance(part, Value):
        yield part
        for name in type(part)._fields:  # type: ignore[attr-defined]
            yield from nodes(getattr(part, name))


def matched(word: str, folder: str, filesystem: FileSystem) -> list[str]:
    """Return the paths that a word of a loop stands for, itself if it is no pattern of names in one folder."""
    above, _, last = word.replace(GLOB, "").rstrip("/").rpartition("/")
    if GLOB not in word or not is_known(last) or any(sign in above for sign in "*?[\0") or "[" in last:
        return [word]
    try:
        names = filesystem.names(filesystem.resolve(above or ".", folder))
    except Undecided:
        return [word]
    start = f"{above}/" if above else ""
    found = [f"{start}{name}" for name in names if fnmatchcase(name, last) and name[:1] != "."]
    if word.endswith("/"):
        found = [f"{one}/" for one in found if filesystem.names(filesystem.resolve(one, folder))]
    return found or [word]


def gives_value(part: Any) -> bool:
    """Return whether an expansion may give a variable its value on the way."""
    if type(part) is tree.Expansion:
        return "=" in part.operator
    if type(part) is tree.Arithmetic:
        text = re.sub(r"[=!<>]=", "", part.text)
        return "=" in text or "++" in text or "--" in text
    return type(part) in (tree.Function, tree.ArithmeticFor, tree.Coprocess)


def plain(word: Any) -> str | None:
    """The text of a word without expansions, None with some."""
    texts = [part.text for part in word.parts if isinstance(part, tree.Text)] if type(word) is tree.Word else []
    return "".join(texts) if texts and len(texts) == len(word.parts) else None


def is_word(word: tree.Word) -> bool:
    """Return whether a word of a loop stands for one word or more."""
    return any(isinstance(part, tree.Text) and bool(part.text or part.quoted) for part in word.parts)

"""Expand a word that is a pattern for names of files to the words that the shell would put in its place now.

A pattern whose last part takes every name stands for its folder too: what is added to it between the decision and the
call is touched as well. What cannot be listed stays unknown. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.filesystem.globs import matcher_of
from policy_engine.model.partial import GLOB, ONE, is_known
from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.filesystem.paths import PathValue

A_FILE = "a-file"  # what a folder holds of which nothing else is known
NAMES = 512  # words that one pattern may become
_ALL = ("*", "**", ".*", "?*", "*?", ".?*", ".[!.]*")


def expanded(word: str, cwd: PathValue, filesystem: FileSystem) -> list[str]:
    """At least one word; the pattern itself where nothing fits, as the shell leaves it."""
    head, mark, _ = word.partition(GLOB)
    text = word.replace(GLOB, "")
    if not mark or not is_known(text):
        return [word]

    def may_hold(folder: str) -> bool:
        return bool(folder) and filesystem.may_be_folder(filesystem.resolve(folder, cwd.real))

    absolute = text[:1] == "/"
    places = ["/" if absolute else ""]
    parts = [part for part in text.split("/") if part]
    try:
        for place, part in enumerate(parts):
            last = place + 1 == len(parts)
            if last and part in _ALL:
                folders = [folder if folder.endswith("/") else f"{folder}/" if folder else "." for folder in places]
                try:
                    names = [name for folder in places for name in _below(folder, part, cwd, filesystem)]
                    names = names or [f"{folder}/{A_FILE}" for folder in places if may_hold(folder)]
                except Undecided:
                    return [*folders, f"{head}{ONE}"]
                return folders + names if len(names) <= NAMES else [*folders, f"{head}{ONE}"]
            places = [name for folder in places for name in _below(folder, part, cwd, filesystem)]
            if len(places) > NAMES:
                return [f"{head}{ONE}"]
    except Undecided:
        return [f"{head}{ONE}"]
    return places or [text]


def _below(folder: str, part: str, cwd: PathValue, filesystem: FileSystem) -> list[str]:
    start = folder if folder in ("", "/") else f"{folder}/"
    if not any(char in part for char in "*?["):
        return [start + part]
    try:
        fits = matcher_of(part)
    except ValueError:
        raise Undecided(f"`{part[:80]}` is no pattern that is understood") from None
    place = filesystem.resolve(folder or ".", cwd.real)
    return [start + name for name in filesystem.names(place) if (name[:1] != "." or part[:1] == ".") and fits(name)]

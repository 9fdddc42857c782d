"""List the files that a search in code (`Path.rglob`, `glob.glob`, `os.walk`) finds now."""

from __future__ import annotations

from policy_engine.filesystem.globs import expand_braces
from policy_engine.inline.javascript_tables import GLOB_OPTIONS
from policy_engine.inline.values import Items, literal
from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.inline.effect_analysis import EffectAnalysis
    from policy_engine.inline.effects import EffectReporter

MOST_FILES = 2_000  # files of one search that are looked at one by one


def files_matching(analysis: EffectAnalysis, folder: str, pattern: str, deep: bool) -> list[str] | None:
    """Return the paths of the files that a search finds now.

    Args:
        analysis: says where relative paths begin, and on which file system they lie.
        folder: where the search begins.
        pattern: a pattern for the last name, as `fnmatch` reads it; without a slash.
        deep: whether folders below are searched as well.

    Returns:
        The paths; None if they cannot be listed, are too many, or the pattern is not understood.
    """
    if "/" in pattern:
        return None
    place = analysis.path(folder, "read")
    if not place.known:
        return None
    import fnmatch

    try:
        names = (
            analysis.filesystem.files_below(place)
            if deep
            else [f"{place.real}/{name}" for name in analysis.filesystem.names(place)]
        )
    except Undecided:
        return None
    matching = [name for name in names if fnmatch.fnmatchcase(name.rpartition("/")[2], pattern)]
    return matching if len(matching) <= MOST_FILES else None


def place_of(pattern: str) -> tuple[str, str, bool] | None:
    """Return the folder in which a pattern for paths searches, the pattern of the last name, and whether folders below
    are searched; None for one that is not understood.
    """
    folder, _, rest = pattern.removeprefix("./").rpartition("/")
    if any(char in folder.replace("**", "") for char in "*?["):
        return None
    deep = "**" in folder
    base = folder.partition("**")[0].rstrip("/") if deep else folder
    return base or ("/" if pattern[:1] == "/" else "."), rest, deep


def globbed(reporter: EffectReporter, patterns: list[Any], options: dict[str, Any]) -> Items:
    """Return the files that a function of Node finds now for patterns, hidden ones where a pattern names such."""
    found = Items([], options.keys() <= GLOB_OPTIONS, True)
    try:
        given = [one for text in map(literal, patterns) for one in ([None] if text is None else expand_braces(text))]
    except ValueError:  # too many
        return Items([], False)
    for pattern in given:
        if pattern is None or pattern[:1] != "!":
            found.complete = found.complete and "(" not in (pattern or "")  # a choice in other words
            one = reporter.searched(pattern, "glob")
            hidden = "/." in f"/{pattern}"
            found.items += [file for file in one.items if hidden or "/." not in f"/{file.text}"]
            found.complete = found.complete and one.complete
    return found

"""List the files that a search in code (`Path.rglob`, `glob.glob`, `os.walk`) finds now."""

from __future__ import annotations

from policy_engine.filesystem.globs import expand_braces
from policy_engine.inline.javascript_tables import GLOB_OPTIONS
from policy_engine.inline.values import Items, literal
from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.filesystem.paths import PathValue
    from policy_engine.inline.effect_analysis import EffectAnalysis
    from policy_engine.inline.effects import EffectReporter

_MOST_FOLDERS = 256  # folders that the first names of a pattern find
MOST_FILES = 2_000  # files of one search that are looked at one by one


def files_matching(
    analysis: EffectAnalysis, folder: str, pattern: str, deep: bool, hidden: bool = True
) -> list[str] | None:
    """Return the paths of the files that a search finds now.

    Args:
        analysis: says where relative paths begin, and on which file system they lie.
        folder: where the search begins.
        pattern: a pattern for each name on the way, as `fnmatch` reads it; one alone where it is `deep`.
        deep: whether folders below are searched as well.
        hidden: whether a pattern takes names that begin with a dot.

    Returns:
        The paths; None if they cannot be listed, are too many, or the pattern is not understood.
    """
    *folders, pattern = pattern.split("/")
    if folders and (deep or "**" in folders or not {"", ".", ".."}.isdisjoint(folders)):
        return None
    place = analysis.path(folder, "read")
    if not place.known:
        return None
    import fnmatch

    try:
        places = [place]
        for one in folders:
            places = _folders_within(analysis, places, one, hidden)
        names = (
            analysis.filesystem.files_below(place)
            if deep
            else [f"{one.real}/{name}" for one in places for name in analysis.filesystem.names(one)]
        )
    except Undecided:
        return None
    matching = [name for name in names if fnmatch.fnmatchcase(name.rpartition("/")[2], pattern)]
    return matching if len(matching) <= MOST_FILES else None


def _folders_within(analysis: EffectAnalysis, places: list[PathValue], pattern: str, hidden: bool) -> list[PathValue]:
    """Return the folders in others whose names fit a pattern. Raises Undecided where one cannot be listed, or many."""
    import fnmatch

    found = []
    for place in places:
        for name in analysis.filesystem.names(place):
            if fnmatch.fnmatchcase(name, pattern) and (hidden or name[:1] != "." or pattern[:1] == "."):
                one = analysis.path(f"{place.real}/{name}", "read")
                if not one.known:
                    raise Undecided(one.reason)
                if analysis.is_folder(one):
                    found.append(one)
    if len(found) > _MOST_FOLDERS:
        raise Undecided("the pattern finds more folders than are looked at")
    return found


def place_of(pattern: str) -> tuple[str, str, bool] | None:
    """Return the folder in which a pattern for paths searches, the patterns of the names below it, and whether folders
    below are searched; None for one that is not understood.
    """
    folder, _, rest = pattern.removeprefix("./").rpartition("/")
    deep = "**" in folder
    while any(char in folder.replace("**", "") for char in "*?["):
        if deep:
            return None
        folder, _, last = folder.rpartition("/")
        rest = f"{last}/{rest}"
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

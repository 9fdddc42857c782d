"""List the files that a search in code (`Path.rglob`, `glob.glob`, `os.walk`) finds now."""

from __future__ import annotations

from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.inline.effect_analysis import EffectAnalysis

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

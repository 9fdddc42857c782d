"""`rimraf`: removes its operands and all below them; wipers, trash cans and the removers of other systems share it."""

from __future__ import annotations

from policy_engine.filesystem.globs import expand_braces
from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import GLOB, is_known
from policy_engine.programs.base import Arguments, EffectAnalysis

_ONE_BY_ONE = ("del", "erase", "remove-item", "ri", "rd")
_GLOBBING = ("rimraf", "del-cli", "trash-cli", "trash", "del")
"""Those of npm, which expand patterns themselves."""
_RECURSES = ("/s", "-r", "-recurse", "-rec", "-recursive", "-rf", "-fr")


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = arguments.operands
    if words in (["--help"], ["--version"]):
        return []
    switches = [
        word.lower()
        for word in words
        if word[:1] == "-" or (word[:1] == "/" and len(word) == 2 and analysis.name.lower() in _ONE_BY_ONE)
    ]
    recursive = analysis.name.lower() not in _ONE_BY_ONE or any(word in _RECURSES for word in switches)
    verbs = ("trash", "remove") if analysis.name == "gio" else ()
    if analysis.name == "gio" and words[:1] not in (["trash"], ["remove"]):
        return []
    if "--empty" in words:
        return [analysis.path(f"{analysis.filesystem.home}/.local/share/Trash", "delete", True)]
    names = [word for word in words if word.lower() not in switches and word not in verbs]
    if analysis.name in _GLOBBING:
        names = [name for word in names for name in _matches(word, analysis)]
    return [analysis.path(word, "delete", recursive) for word in names]


def _matches(pattern: str, analysis: EffectAnalysis) -> list[str]:
    """Return what a pattern that the program itself expands matches now."""
    if not is_known(pattern) or not any(char in pattern for char in "*?[{"):
        return [pattern]
    from policy_engine.inline.listing import files_matching, place_of

    try:
        found = analysis.expand([GLOB + one for one in expand_braces(pattern)])
    except ValueError:
        return [pattern]
    place = place_of(pattern) if "**" in pattern else None
    return [*found, *(files_matching(analysis, *place, False) or () if place else ())]

"""`run-parts`: runs the programs and scripts that lie in a folder, by the order of their names."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known
from policy_engine.model.undecided import Undecided
from policy_engine.programs.base import Arguments, EffectAnalysis

_KEPT = ("~", ",v", ".bak", ".swp", ".rpmsave", ".rpmorig", ".rpmnew", ".dpkg-old", ".dpkg-new", ".dpkg-dist")
_MOST = 16  # files that are looked at


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    if arguments.has("--test", "--list", "-l", "--report-only"):
        analysis.looks = True
        return [analysis.path(word, "read") for word in arguments.operands[:1]]
    return [file for word in arguments.operands[:1] for file in _run(word, arguments.last("--regex"), analysis)]


def _run(word: str, regex: str | None, analysis: EffectAnalysis) -> list[PathValue]:
    """Return the files of the folder that it runs: those that are there, or whatever the line puts there."""
    names: list[str] = []
    folder = analysis.path(word, "read")
    if is_known(word) and folder.known:
        try:
            names = sorted(name for name in analysis.filesystem.names(folder) if name[:1] != ".")
        except Undecided:
            names = []
    return [analysis.run(f"{word.rstrip('/')}/{name}") for name in _fitting(names, regex)[:_MOST] or ["*"]]


def _fitting(names: list[str], regex: str | None) -> list[str]:
    """Return the names that it takes; those that a pattern is not understood for are all taken."""
    if regex is None or not is_known(regex):
        return [name for name in names if not name.endswith(_KEPT)]
    import re

    try:
        return [name for name in names if re.search(regex.replace("[:alnum:]", "0-9A-Za-z"), name)]
    except re.error:
        return names

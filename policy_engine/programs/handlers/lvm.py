"""`lvm`: makes, shrinks and removes logical volumes; `vgremove` and its kin share it."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known
from policy_engine.programs.base import Arguments, EffectAnalysis

_CHANGES = ("remove", "create", "reduce", "convert", "resize", "split", "merge", "rename")


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = arguments.operands
    name = analysis.name
    if name == "lvm":
        name, words = (words or [""])[0], words[1:]
    if not words or not name.endswith(_CHANGES) or words[0] in ("--help", "-h", "--version"):
        if not is_known(name):
            analysis.doubt("formats", "which command of `lvm` is meant is not known")
        return []
    if any(word == "--test" or (word[:1] == "-" and word[:2] != "--" and "t" in word) for word in words):
        analysis.doubt("formats", "it is a trial, on a volume")
    else:
        analysis.does("formats")
    return []

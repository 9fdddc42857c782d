"""`btrfs`: manages file systems, their devices and subvolumes."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis

_CHANGES = ("add", "delete", "remove", "start")


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = [word for word in arguments.operands if word[:1] != "-"]
    if words[:1] in (["device"], ["replace"]) and any(word in _CHANGES for word in words[1:2]):
        analysis.does("formats")
    if words[:1] in (["subvolume"], ["su"]) and words[1:2] == ["delete"]:
        return [analysis.path(text, "delete", True) for text in words[2:]]
    return []

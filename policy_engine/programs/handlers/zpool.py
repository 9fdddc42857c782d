"""`zpool`, `zfs`: make and destroy pools and datasets."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known
from policy_engine.programs.base import Arguments, EffectAnalysis

_CHANGES = ("destroy", "create", "labelclear", "remove", "replace", "detach", "rollback")


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    verb = (arguments.operands or [""])[0]
    if not is_known(verb):
        analysis.doubt("formats", f"which command of `{analysis.name}` is meant is not known")
    elif verb not in _CHANGES or (analysis.name == "zfs" and verb == "create"):
        pass
    elif any(word in ("-n", "-nv", "-nvr", "--dry-run") for word in arguments.operands):
        analysis.doubt("formats", "it is a trial, on a pool")
    else:
        analysis.does("formats")
    return []

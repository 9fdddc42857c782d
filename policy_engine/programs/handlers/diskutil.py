"""`diskutil`: manages the disks of a Mac; `asr` restores images onto them."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known
from policy_engine.programs.base import Arguments, EffectAnalysis

_ERASES = ("erasedisk", "erasevolume", "partitiondisk", "zerodisk", "randomdisk", "secureerase", "reformat",
           "eraseoptical", "splitpartition", "mergepartitions", "resizevolume", "deletecontainer", "deletevolume",
           "erasevolume", "delete", "createcontainer", "restore")  # fmt: skip


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = arguments.operands
    verbs = [word.lower() for word in words[:2]]
    if any(verb in _ERASES for verb in verbs):
        analysis.does("formats")
    elif not all(map(is_known, words[:2])):
        analysis.doubt("formats", f"which command of `{analysis.name}` is meant is not known")
    return []

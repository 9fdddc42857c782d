"""`apply_patch`: changes the files that a patch in the form of agents names."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known
from policy_engine.programs.agent_patches import read_patch
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    text = arguments.operands[0] if arguments.operands else analysis.feed
    if text is None or not is_known(text):
        return [analysis.unknown("patch", "which files the patch changes is not known", "write")]
    return [analysis.path(name, access) for name, access in read_patch(text).touched]

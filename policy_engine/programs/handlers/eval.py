"""`eval`: runs its words as a line of this shell."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    analysis.does("executes")
    if not all(map(is_known, arguments.operands)):
        analysis.does("executes-input")
        analysis.doubt("*", "the line that is run is not known")
    return []

"""`echo`: prints its words and touches nothing."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    escapes = arguments.operands[:1] and arguments.operands[0][:1] == "-" and "e" in arguments.operands[0]
    if escapes and any(piece[:1] in tuple("xuU0") for word in arguments.operands for piece in word.split("\\")[1:]):
        analysis.does("decodes")
    return []

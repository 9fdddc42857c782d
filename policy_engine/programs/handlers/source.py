"""`source`: runs a file in this shell."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    if not all(map(is_known, arguments.operands[:1])) or arguments.operands[:1] in (["/dev/stdin"], ["-"]):
        analysis.does("executes-input")
    return [analysis.run(text) for text in arguments.operands[:1]]

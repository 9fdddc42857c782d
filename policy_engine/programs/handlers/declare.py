"""`declare`: sets variables of the shell, or prints all of them."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis
from policy_engine.programs.variables import starts_code


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    if not arguments.operands or arguments.operands in (["-p"], ["-x"], ["-xp"], ["-px"]):
        analysis.does("discloses")
    elif any(starts_code(word, analysis) for word in arguments.operands):
        analysis.does("configures")
    return []

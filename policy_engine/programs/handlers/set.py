"""`set`: sets options of the shell, or prints all variables."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    if not arguments.operands or arguments.operands in (["-p"], ["-x"], ["-xp"], ["-px"]):
        analysis.does("discloses")
    elif analysis.name == "unset" and any(word.startswith("POLICY_") for word in arguments.operands):
        analysis.does("controls-engine")
    else:
        analysis.does("configures")
    return []

"""`declare`, `set`: set variables and options of the shell, or print all of them."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis
from policy_engine.programs.variables import starts_code


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    shows = (["-p"], ["-x"], ["-xp"], ["-px"]) if analysis.name != "set" else ()
    if not arguments.operands or arguments.operands in shows:
        analysis.does("discloses")
    elif analysis.name == "unset" and any(word.startswith("POLICY_") for word in arguments.operands):
        analysis.does("controls-engine")
    elif analysis.name in ("set", "unset", "shopt") or any(starts_code(word, analysis) for word in arguments.operands):
        analysis.does("configures")
    else:
        analysis.complete = True
    return []

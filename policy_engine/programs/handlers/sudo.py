"""`sudo`: runs a command with the rights of another user; so do its kin."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    if analysis.name == "machinectl" and not {"shell", "login"} & set(arguments.operands):
        return []
    if arguments.operands[:1] not in (["--help"], ["--version"], ["-V"], ["-h"]) or len(arguments.operands) > 1:
        analysis.does("elevates", "executes")
    return []

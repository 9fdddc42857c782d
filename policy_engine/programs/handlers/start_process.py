"""`Start-Process` of PowerShell: starts a program, with the rights of an administrator after `-Verb RunAs`."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = [word.lower() for word in arguments.operands]
    analysis.does("executes")
    if "runas" in words or any(word.startswith("-verb:runas") for word in words):
        analysis.does("elevates")
    analysis.doubt("*", "what the program that it starts does is not modelled")
    return []

"""`ps`: lists processes; with `e` in the style of BSD their environments too."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    if any(word[:1] != "-" and "e" in word and word.isalpha() for word in arguments.operands[:1]):
        analysis.does("discloses")
    return []

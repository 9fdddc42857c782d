"""`history`: lists or writes the lines of the shell."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = arguments.operands
    return [analysis.path(words[place + 1], "write") for place, word in enumerate(words[:-1]) if word in ("-w", "-a")]

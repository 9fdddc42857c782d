"""`newgrp`, `sg`: start a shell or a command with the rights of another group."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    analysis.does("executes", "elevates")
    words = arguments.operands
    for place, word in enumerate(words[:-1]):
        if word == "-c":
            analysis.shell(words[place + 1])
    return []

"""`history`: lists or writes the lines of the shell."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = arguments.operands
    kept = analysis.env.get("HISTFILE")
    paths = []
    for place, word in enumerate(words):
        file = words[place + 1] if place + 1 < len(words) else kept
        if file and word in ("-w", "-a", "-r", "-n"):
            paths.append(analysis.path(file, "write" if word in ("-w", "-a") else "read"))
    return paths

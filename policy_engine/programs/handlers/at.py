"""`at`, `batch`: run later what they read."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = arguments.operands
    if words[:1] in (["-l"], ["-c"]):
        return []
    analysis.does("configures", "executes")
    if "-f" not in words:
        analysis.does("executes-input")
        return []
    return [analysis.run("".join(words[words.index("-f") + 1 :][:1]))]

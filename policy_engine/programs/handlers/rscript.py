"""`Rscript`, `R`, `julia`: run a script or code."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.inline.code import analyse
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    analysis.does("executes")
    words = arguments.operands
    code = [words[place + 1] for place, word in enumerate(words[:-1]) if word in ("-e", "-E", "--eval")]
    code += [word.partition("=")[2] for word in words if word.startswith("--eval=")]
    for text in code:
        analyse(text, analysis)
    files = [word for word in words if word[:1] != "-"]
    if code:
        return []
    if not files:
        analysis.does("executes-input")
    return [analysis.run(text) for text in files[:1]]

"""`git bisect`: searches the commit that broke something; `run` starts a program for it."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.quoting import quote_words
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    if arguments.operands[:1] == ["run"] or analysis.name != "git-bisect":
        analysis.does("executes")
    if arguments.operands[:1] == ["run"]:
        analysis.shell(quote_words(arguments.operands[1:]))
    return []

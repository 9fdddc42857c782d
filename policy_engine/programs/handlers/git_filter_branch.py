"""`git filter-branch`: rewrites the history of local branches through shell lines."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    analysis.does("executes")
    words = arguments.operands
    for place, word in enumerate(words[:-1]):
        if word.endswith("-filter") and word[:2] == "--":
            analysis.shell(words[place + 1])
    if analysis.name == "git-filter-repo" or any(word in ("-f", "--force") for word in words):
        analysis.does("discards")  # also what the run before kept
    else:
        analysis.doubt("discards", "the history of the branches is rewritten")
    return []

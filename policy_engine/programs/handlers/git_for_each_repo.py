"""`git for-each-repo`: runs git with the same words in many repositories."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = list(arguments.operands)
    while words and words[0][:1] == "-":
        words = words[1:] if "=" in words[0] or words[0] in ("--keep-going", "--") else words[2:]
    if words:
        analysis.shell(" ".join(("git", *words)))
    return []

"""`git subtree`: joins and splits off folders of other repositories."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = arguments.operands
    if "push" in words:
        analysis.does("network")
        for word in words:
            if word in ("-f", "--force"):
                analysis.may_rewrite("which branch is forced is not known")
            elif word[:1] == "+":
                analysis.rewrites(word.rpartition(":")[2].lstrip("+").removeprefix("refs/heads/"))
    return [] if "push" in words else [analysis.path(".", "write", True)]

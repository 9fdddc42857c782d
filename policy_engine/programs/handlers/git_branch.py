"""`git branch`: lists, makes, moves or deletes branches."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    if arguments.has("-D") or (arguments.has("-d", "--delete") and arguments.has("-f", "--force")):
        analysis.does("discards")
    elif arguments.has("-M", "-C") and len(arguments.operands) > 1:
        analysis.doubt("discards", "the branch may be put over another one")
    elif arguments.has("-f", "--force") and arguments.operands:
        analysis.doubt("discards", "commits may be left without a branch")
    if arguments.operands and not arguments.has("-l", "--list", "-a", "-r", "--contains", "--merged", "--points-at"):
        analysis.does("configures")
    return []

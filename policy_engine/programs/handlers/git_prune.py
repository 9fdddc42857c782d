"""`git prune`: throws away what git keeps for recovery; `gc` and `reflog` share it."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = arguments.operands
    if "-n" in words or "--dry-run" in words:
        return []
    if words[:1] in (["expire"], ["delete"], ["drop"]):
        analysis.does("discards")
    if analysis.name == "git-prune" or any(word.startswith(("--expire", "--prune=")) for word in words):
        analysis.does("discards")
    return []

"""`wipefs`: shows the signatures of a device; with `-a` or `-o` it erases them."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    acts = arguments.has("-a", "--all", "-o", "--offset") and not arguments.has("-n", "--no-act")
    if not acts and not arguments.unsure:
        return [analysis.path(text, "read") for text in arguments.operands]
    return analysis.formats(arguments.operands)

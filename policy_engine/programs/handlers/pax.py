"""`pax`: packs the files that its input names where its words name none."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    if not arguments.has("-w") or arguments.operands:
        return []
    fed = analysis.fed_names()
    if fed is None:
        return [analysis.unknown("pax", "which files its input names is not known", "read", True)]
    return [analysis.path(text, "read", True) for text in fed]

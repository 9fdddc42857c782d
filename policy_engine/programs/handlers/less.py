"""`less`: shows its operands, and runs what the person at it types."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    paths = [analysis.path(text, "read") for text in arguments.operands if text[:1] not in "-+"]
    return paths + [analysis.path(text, "write") for text in arguments.values("-o", "-O")]

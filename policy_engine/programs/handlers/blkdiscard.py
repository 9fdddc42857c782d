"""`blkdiscard`: throws away what is on a device; formatters of other systems share it."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis

_ASKS = ("--help", "-h", "--version", "-V", "/?", "--show")


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = arguments.operands
    if any(word in _ASKS for word in words):
        return []
    if analysis.name not in ("blkdiscard", "swapon", "growpart", "sg_format"):
        analysis.does("formats")  # drives have letters and numbers there
        return []
    return analysis.formats([word for word in words if word[:1] != "-" and not word.isdigit()])

"""`lynx` and others that print what they fetch: mail and text browsers, `dig`."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    analysis.does("network")
    for word in arguments.operands:
        if word.startswith("file:"):
            return [analysis.path(word[5:].replace("//", "", 1) or "/", "read")]
    return []

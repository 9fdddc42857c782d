"""`lynx` and others that print what they fetch: mail and text browsers, `ftp`, `dig`."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    analysis.does("network")
    words = arguments.operands
    for word in words:
        if word.startswith("file:"):
            return [analysis.path(word[5:].replace("//", "", 1) or "/", "read")]
    if analysis.name in ("ftp", "lftp"):
        return [analysis.path(words[place + 1], "write") for place, word in enumerate(words[:-1])
                if word == "-o" and words[place + 1] != "-"]  # fmt: skip
    return []

"""`certutil`: fetches and decodes files on Windows; `bitsadmin` does so too."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = [word.lower() for word in arguments.operands]
    if any(word.lstrip("-/") in ("urlcache", "verifyctl", "transfer") for word in words):
        analysis.does("network")
    if any(word.lstrip("-/") in ("decode", "decodehex") for word in words):
        analysis.does("decodes", "network")
    names = [word for word in arguments.operands if word[:1] not in "-/" and "://" not in word]
    return [analysis.path(text, "write") for text in names[-1:]]

"""`su`: starts a shell or a command as another user."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = arguments.operands
    if words not in (["--help"], ["--version"], ["-V"], ["-h"]):
        analysis.does("elevates", "executes")
    for place, word in enumerate(words[:-1]):
        if word in ("-c", "--command", "--session-command"):
            analysis.shell(words[place + 1])
        elif word.startswith("--command="):
            analysis.shell(word.partition("=")[2])
    return []

"""`nc`: connects to the network; with `-e` it runs a program for the other side."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    analysis.does("network")
    words = arguments.operands
    if any(word[:2] in ("-e", "-c") or word in ("--exec", "--sh-exec") or "EXEC:" in word.upper() for word in words):
        analysis.does("executes-remote", "executes")
    files = [
        word.partition(":")[2] for word in words if word.upper().startswith(("FILE:", "OPEN:", "GOPEN:", "CREATE:"))
    ]
    return [analysis.path(text.partition(",")[0], way) for text in files for way in ("read", "write")]

"""`nc`: connects to the network; with `-e` it runs a program for the other side."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    analysis.does("network")
    words = arguments.operands
    for word in words:
        kind, _, line = word.partition(":")
        if kind.upper() in ("EXEC", "SYSTEM", "SHELL"):
            analysis.shell(line.partition(",")[0])
    if any(
        word[:2] in ("-e", "-c")
        or word in ("--exec", "--sh-exec")
        or "EXEC:" in word.upper()
        or word.upper().startswith(("SYSTEM:", "SHELL:"))
        for word in words
    ):
        analysis.does("executes-remote", "executes")
    files = [
        word.partition(":")[2] for word in words if word.upper().startswith(("FILE:", "OPEN:", "GOPEN:", "CREATE:"))
    ]
    return [analysis.path(text.partition(",")[0], way) for text in files for way in ("read", "write")]

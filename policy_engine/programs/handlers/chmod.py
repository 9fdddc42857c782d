"""`chmod`: changes the mode of its operands."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    recursive = arguments.has("-R", "--recursive")
    removes = [name for name, _ in arguments.options if name[1:] in tuple("rwxXst")]  # `-x` is a mode, not an option
    files = arguments.operands if removes or arguments.has("--reference") else arguments.operands[1:]
    mode = "" if removes or not arguments.operands else arguments.operands[0]
    letters = "".join(part.replace("=", "+").partition("+")[2] for part in mode.split(","))
    special = mode.isdigit() and len(mode.lstrip("0")) > 3 and mode.lstrip("0")[0] in "24567"
    if "s" in letters or special:
        analysis.doubt("elevates", f"`{mode}` lets a file run with the rights of its owner")
    return [analysis.path(text, "write", recursive) for text in files]

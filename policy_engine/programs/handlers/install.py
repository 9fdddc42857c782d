"""`install`: copies its sources, or makes folders with `-d`."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    if arguments.has("-d", "--directory"):
        return [analysis.path(text, "write") for text in arguments.operands]
    mode = arguments.last("-m", "--mode") or ""
    if (mode.isdigit() and len(mode.lstrip("0")) > 3) or "s" in mode:
        analysis.doubt("elevates", f"`{mode}` lets a file run with the rights of its owner")
    sources, folder = list(arguments.operands), arguments.last("-t", "--target-directory")
    target = sources.pop() if folder is None and len(sources) > 1 else "."
    if folder is None and (len(sources) > 1 or analysis.is_folder(analysis.path(target, "write"))):
        folder = target
    paths = [analysis.path(text, "read") for text in sources]
    return paths + [
        analysis.path(target if folder is None else analysis.arrival(text, folder), "write") for text in sources
    ]

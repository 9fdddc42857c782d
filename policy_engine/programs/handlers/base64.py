"""`base64`: encodes, or decodes with `-d`."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    if arguments.has("-d", "-D", "--decode"):
        analysis.does("decodes")
    reads = arguments.operands + arguments.values("--input")
    if arguments.has("-i") and arguments.operands:
        reads = arguments.operands
    paths = [analysis.path(text, "read") for text in reads if text != "-"]
    return paths + [analysis.path(text, "write") for text in arguments.values("-o", "--output") if text != "-"]

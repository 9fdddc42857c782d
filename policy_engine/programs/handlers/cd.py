"""`cd`: looks at the folder it goes to; the parser follows it within a line."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    if not arguments.operands:
        return [analysis.filesystem.resolve("~", None).with_access("read")]
    if arguments.operands[0] == "-":
        return [analysis.unknown("-", "the folder before this one is not known", "read")]
    return [analysis.path(arguments.operands[0], "read")]

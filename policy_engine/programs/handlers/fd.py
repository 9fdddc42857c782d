"""`fd`: finds files by their names; `-x` starts programs."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import MANY, may_be_option
from policy_engine.programs.base import Arguments, EffectAnalysis

_REASON = "a word that is not known may start a program"


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    if any(word.startswith(("-x", "-X", "--exec")) for word in arguments.operands):
        analysis.does("executes")
    elif any(MANY in word for word in arguments.operands) or any(map(may_be_option, arguments.operands[:-1])):
        analysis.doubt("*", _REASON)
        return [analysis.unknown(".", _REASON, access, True) for access in ("read", "write", "delete")]
    return [analysis.path(".", "read", True)]

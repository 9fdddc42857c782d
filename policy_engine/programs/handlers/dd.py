"""`dd`: copies from `if=` to `of=`."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    paths: list[PathValue] = []
    for word in arguments.operands:
        name, _, value = word.partition("=")
        if name == "if":
            paths.append(analysis.path(value, "read"))
        elif name == "of":
            paths.append(analysis.path(value, "write"))
        elif not is_known(word):
            paths += [analysis.path(word, "read"), analysis.path(word, "write")]
    return paths

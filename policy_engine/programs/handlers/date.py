"""`date`: prints the time; with `-s` it sets the clock."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    if arguments.has("-s", "--set") or any(text[:1] != "+" for text in arguments.operands):
        analysis.does("configures")
    return [analysis.path(text, "read") for text in arguments.values("-f", "--file", "-r", "--reference")]

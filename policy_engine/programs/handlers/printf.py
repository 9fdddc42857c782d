"""`printf`: prints its words."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    if arguments.operands[:1] == ["-v"]:
        analysis.does("configures")  # it sets a variable of the shell
    if any(_hides(word) for word in arguments.operands):
        analysis.does("decodes")
    return []


def _hides(word: str) -> bool:
    """Return whether it writes characters by their numbers."""
    return any(char in "xuU01234567" for char in [piece[:1] for piece in word.split("\\")[1:]] if char)

"""`printenv`: prints the environment, or the variables that it names."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis

_SECRETS = ("SECRET", "TOKEN", "PASSW", "KEY", "CREDENTIAL", "AUTH", "PRIVATE")


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    if not arguments.operands or any(part in name.upper() for name in arguments.operands for part in _SECRETS):
        analysis.does("discloses")
    return []

"""`twine`: uploads Python packages."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    if "upload" in arguments.operands or "register" in arguments.operands:
        analysis.does("publishes", "network")
    elif arguments.operands and not is_known(arguments.operands[0]):
        analysis.doubt("publishes", "which subcommand is meant is not known")
    return []

"""`uvx`: runs a Python package fetched from an index or a URL."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis, fetches_address


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    analysis.does("network", "executes")
    if fetches_address(arguments.operands):
        analysis.doubt("executes-remote", "a package is fetched from an address and run")
    return []

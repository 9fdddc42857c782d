"""`git checkout-index`: writes files from the index; with `-f` over what is there."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    prefix = arguments.last("--prefix") or ""
    if arguments.has("-f", "--force") and not prefix:
        analysis.does("discards")
    return [analysis.path(prefix or ".", "write", True)]

"""`crontab`: lists, or replaces, what runs at set times."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    if arguments.has("-l"):
        return []
    analysis.does("configures", "executes")
    if arguments.operands in ([], ["-"]) and not arguments.has("-e", "-r"):
        analysis.does("executes-input")
    paths = [analysis.path(text, "read") for text in arguments.operands if text != "-"]
    return [*paths, analysis.path("/var/spool/cron", "write")]

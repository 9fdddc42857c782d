"""`systemd_run`: starts a command as a service, as another user if it is told so."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    analysis.does("executes")
    words = arguments.operands
    if "--user" not in words:
        analysis.does("elevates")  # the service manager of the machine runs it, as root unless it is told otherwise
    for word in words:
        if word.startswith(("--uid=", "--gid=")) and "--user" not in words:
            analysis.does("elevates")
    return []

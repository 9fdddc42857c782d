"""`umount`: takes a file system away, and with it what guards a workspace that lies there."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue, under
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    analysis.does("configures")
    if arguments.has("-a", "--all", "-A", "--all-targets"):
        analysis.doubt("controls-engine", "the workspace may lie on one of the file systems")
    for text in arguments.operands:
        path, workspace = analysis.path(text, "read"), analysis.filesystem.workspace
        if not path.known or (workspace is not None and under(analysis.filesystem.real_workspace, path.real)):
            analysis.does("controls-engine")
        elif analysis.filesystem.relative(path) is not None:
            analysis.mention(text)
    return []

"""`git clean`: deletes what git does not track; without `-f` it refuses."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis
from policy_engine.programs.git_pathspecs import fitted


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    if arguments.has("-n", "--dry-run"):
        return []
    allowed = [value.lower() for value in analysis.settings.get("clean.requireforce", [])][-1:]
    if not arguments.has("-f", "--force", "-i", "--interactive") and allowed not in (["false"], ["no"], ["0"], ["off"]):
        return []
    analysis.does("discards")
    if not arguments.operands:
        # What lies below the folder goes, the folder stays: in the workspace that is the business of `discards`.
        inside = analysis.cwd.known and analysis.filesystem.relative(analysis.cwd) is not None
        if inside:
            return [analysis.path(text, "delete", True) for text in analysis.untracked()]
        return [analysis.path(".", "delete", True)]
    left_out = () if arguments.has("-x", "-X") else ("--exclude-standard",)
    return fitted(arguments.operands, "delete", analysis, ("-o", *left_out), True)

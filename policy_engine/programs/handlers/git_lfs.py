"""`git lfs`: keeps large files elsewhere; its hooks go when it is uninstalled."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = arguments.operands
    if words[:1] == ["uninstall"]:
        analysis.does("skips-hooks", "configures")
    elif words[:1] in (["install"], ["update"], ["track"], ["untrack"], ["migrate"]):
        analysis.does("configures")
        if words[0] == "install" and "--local" not in words:
            return [analysis.path(f"{analysis.filesystem.home}/.gitconfig", "write")]
        if words[0] in ("track", "untrack") and len(words) > 1:
            return [analysis.path(".gitattributes", "write")]
    elif words[:1] == ["prune"]:
        analysis.doubt("discards", "copies that nothing refers to are deleted")
    return []

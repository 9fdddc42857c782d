"""`git worktree`: adds, moves and removes further work trees."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known
from policy_engine.programs.base import Arguments, EffectAnalysis, is_scratch


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    verb, places = "".join(arguments.operands[:1]), arguments.operands[1:]
    if not is_known(verb):
        return [analysis.may_touch(text, "which subcommand of `git worktree` is meant is not known", "write", True)
                for text in places[:1]]  # fmt: skip
    if verb == "add":
        return [analysis.path(text, "write", True) for text in places[:1]]
    if verb == "move":
        return [analysis.path(text, "write", True) for text in places]
    if verb != "remove":
        return []
    if not arguments.has("-f", "--force"):
        # git removes a tree only where nothing in it is changed or untracked: all of it is in the repository
        return [analysis.path(text, "write", True) for text in places]
    paths = [analysis.path(text, "delete", True) for text in places]
    if not all(is_scratch(path, analysis.filesystem) for path in paths):
        analysis.does("discards")
    return paths

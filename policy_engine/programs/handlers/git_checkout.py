"""`git checkout`: changes branches or restores files; `git switch` and `git restore` share it."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import GLOB
from policy_engine.programs.base import Arguments, EffectAnalysis
from policy_engine.programs.git_pathspecs import TRACKED, fitted, is_pattern


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    if arguments.has("-f", "--force", "--discard-changes"):
        analysis.does("discards")
    if arguments.has("--pathspec-from-file") and not (arguments.has("-S", "--staged") and not arguments.has("-W")):
        analysis.does("discards")
    if arguments.has("-p", "--patch"):
        analysis.doubt("discards", "which changes are thrown away is asked one by one")
        return []
    if arguments.has("--force-create") or (analysis.name != "git-restore" and arguments.has("-B", "-C")):
        analysis.doubt("discards", "commits may be left without a branch")
    if analysis.name == "git-switch":
        return (
            [analysis.path(".", "write", arguments.has("--orphan"))] if arguments.operands or arguments.options else []
        )
    if analysis.name == "git-restore":
        if arguments.has("-S", "--staged") and not arguments.has("-W", "--worktree"):
            return []
        files = arguments.operands
    else:
        making = arguments.has("-b", "-B", "--orphan", "-t", "--track")
        files = arguments.rest or ([] if making else [text for text in arguments.operands if _is_file(text, analysis)])
        if not arguments.rest and len(arguments.operands) > 1 and not making:
            files = arguments.operands[1:]
    if files and not arguments.has("--ours", "--theirs"):  # a side of a conflict, which `git checkout -m` brings back
        analysis.does("discards")
    return fitted(files, "write", analysis, TRACKED, True)


def _is_file(text: str, analysis: EffectAnalysis) -> bool:
    """Git takes a word for a file if it is there and no branch is called so."""
    path = analysis.path(text, "write")
    return text in (".", "..") or GLOB in text or is_pattern(text) or (path.known and analysis.filesystem.present(path))

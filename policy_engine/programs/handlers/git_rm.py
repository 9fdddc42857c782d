"""`git rm`: removes files from the index and, without `--cached`, from the disk."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis
from policy_engine.programs.git_index import dropped_tests


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    if arguments.has("-n", "--dry-run"):
        return []
    recursive = arguments.has("-r")
    if arguments.has("--cached"):
        paths = [analysis.path(text, "read", True, follow=False) for text in arguments.operands]
        if any("/.policy/" in f"{path.real}/" for path in paths):
            analysis.doubt("controls-engine", "later clones of the repository would have no policy")
        return dropped_tests(arguments.operands, recursive, analysis)
    if arguments.has("-f", "--force"):
        analysis.does("discards")
    listed = arguments.values("--pathspec-from-file")
    return [
        analysis.unknown(text, f"which files `{text[:80]}` names is not known", "delete", True) for text in listed
    ] + [analysis.path(text, "delete", recursive, follow=False) for text in arguments.operands]

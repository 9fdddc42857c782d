"""`git rm`: removes files from the index and, without `--cached`, from the disk."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis
from policy_engine.programs.git_index import dropped_tests, names_tests
from policy_engine.programs.git_pathspecs import TRACKED, fitted


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    if arguments.has("-n", "--dry-run"):
        return []
    recursive = arguments.has("-r")
    if arguments.has("--cached"):
        paths = fitted(arguments.operands, "delete", analysis, TRACKED, recursive, follow=False)
        if any("/.policy/" in f"{path.real}/" for path in paths):
            analysis.doubt("controls-engine", "later clones of the repository would have no policy")
        more = [path for path in paths if path.text not in arguments.operands and names_tests(path.text, False)]
        return dropped_tests(arguments.operands, recursive, analysis) + more
    if arguments.has("-f", "--force"):
        analysis.does("discards")
    listed = arguments.values("--pathspec-from-file")
    return [
        analysis.unknown(text, f"which files `{text[:80]}` names is not known", "delete", True) for text in listed
    ] + fitted(arguments.operands, "delete", analysis, recursive=recursive, follow=False)

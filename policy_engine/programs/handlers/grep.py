"""`grep`: searches files for a pattern."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known
from policy_engine.model.undecided import Undecided
from policy_engine.programs.base import Arguments, EffectAnalysis
from policy_engine.programs.find_expression import MOST_FILES, Expression


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    given = arguments.has("-e", "-f", "--regexp", "--file")
    files = list(arguments.operands) if given else arguments.operands[1:]
    recursive = arguments.has("-r", "-R", "--recursive", "--dereference-recursive") or analysis.name == "rgrep"
    recursive = recursive or bool(arguments.unsure) or "recurse" in arguments.values("-d", "--directories")
    names = arguments.has("-l", "-L", "--files-with-matches", "--files-without-match", "-c", "--count", "-q", "--quiet")
    if recursive and not files:
        files = ["."]
    paths = [analysis.path(text, "read") for text in arguments.values("-f", "--file") if text != "-"]
    for text in files:
        if text != "-":
            path = analysis.path(text, "read")
            inside = recursive and not names and analysis.may_hold(path)
            picked = _picked(path, arguments.values("--include"), analysis) if inside else None
            paths += [path.with_access("read", inside)] if picked is None else [path, *picked]
    return paths


def _picked(folder: PathValue, includes: list[str], analysis: EffectAnalysis) -> list[PathValue] | None:
    """The files below a folder that `--include` picks; None if it picks none out, or nobody can say."""
    if not includes or not all(map(is_known, includes)):
        return None
    try:
        tests = [word for include in includes for word in ("-o", "-name", include)][1:]
        picked = Expression(tests).picks(folder.real, analysis.filesystem.files_below(folder), folder.real)
    except Undecided:
        return None
    return [analysis.path(text, "read") for text in picked] if len(picked) <= MOST_FILES else None

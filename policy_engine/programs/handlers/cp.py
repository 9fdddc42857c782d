"""`cp`: reads its sources and writes them where they go, into a folder if one is there.

With `-l` it copies nothing: both names are one file from then on, so that its sources count as written.
"""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.undecided import Undecided
from policy_engine.programs.base import Arguments, EffectAnalysis

_MOST_NAMES = 256


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    paths: list[PathValue] = []
    sources, folder = analysis.expand(list(arguments.operands)), arguments.last("-t", "--target-directory")
    if folder is None:
        if len(sources) < 2:
            return [analysis.path(text, "read") for text in sources]
        target = sources.pop()
        many = len(sources) > 1 or target.endswith("/")
        plain = arguments.has("-T", "--no-target-directory")
        folder = target if not plain and (many or analysis.is_folder(analysis.path(target, "write"))) else None
        if folder is not None and not target.endswith("/") and not analysis.is_folder(analysis.path(target, "write")):
            paths.append(analysis.path(target, "write"))  # one name that a pattern stood for
    recursive = arguments.has("-r", "-R", "-a", "--recursive", "--archive")
    for text in sources:
        source = analysis.path(text, "read")
        inside = recursive and analysis.may_hold(source)
        arrivals = [target] if folder is None else _arrivals(text, folder, source, analysis)
        if arguments.has("--parents") and folder is not None:
            arrivals = [f"{folder}/{text}"]
        paths.append(source.with_access("read", inside))
        if arguments.has("-l", "--link"):
            paths.append(source.with_access("write", inside))
        paths += [analysis.path(arrival, "write", inside) for arrival in arrivals]
    return paths


def _arrivals(text: str, folder: str, source: PathValue, analysis: EffectAnalysis) -> list[str]:
    """Return where a source goes within a folder; of `x/.` each name in it goes there."""
    if text.rpartition("/")[2] == "." and source.known and analysis.is_folder(source):
        try:
            names = analysis.filesystem.names(source)
        except Undecided:
            names = []
        if 0 < len(names) <= _MOST_NAMES:
            return [f"{folder.rstrip('/')}/{name}" for name in names]
    return [analysis.arrival(text, folder)]

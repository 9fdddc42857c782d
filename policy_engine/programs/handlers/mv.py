"""`mv`: deletes its sources where they are and writes them where they go, into a folder if one is there."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    sources, folder = list(arguments.operands), arguments.last("-t", "--target-directory")
    if folder is None:
        if len(sources) < 2:
            return [analysis.path(text, "delete", follow=False) for text in sources]
        target = sources.pop()
        many = len(sources) > 1 or target.endswith("/")
        plain = arguments.has("-T", "--no-target-directory")
        folder = target if not plain and (many or analysis.is_folder(analysis.path(target, "write"))) else None
    paths: list[PathValue] = []
    for text in sources:
        source = analysis.path(text, "delete", follow=False)
        inside = analysis.is_folder(source)
        arrival = target if folder is None else analysis.arrival(text, folder)
        paths.append(source.with_access("delete", inside))
        analysis.contents.append(source.with_access("read"))  # it can be read under its new name
        paths.append(analysis.path(arrival, "write", inside, follow=False))
    return paths

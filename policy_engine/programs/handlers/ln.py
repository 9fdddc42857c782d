"""`ln`: makes links: writes their names; a hard link is one file under two names, so its source counts as written."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    sources, folder = list(arguments.operands), arguments.last("-t", "--target-directory")
    if folder is None:
        target = sources.pop() if len(sources) > 1 else "."
        into = (
            len(sources) > 1
            or target.endswith("/")
            or target == "."
            or analysis.is_folder(analysis.path(target, "write"))
        )
        folder = target if into and not arguments.has("-T", "--no-target-directory") else None
    paths: list[PathValue] = []
    for text in sources:
        # What the link points to can be read through it under another name.
        base = analysis.path(folder if folder is not None else target.rpartition("/")[0] or ".", "write")
        relative = arguments.has("-s", "--symbolic") and text[:1] != "/" and base.known
        source = analysis.path(f"{base.real}/{text}" if relative else text, "read")
        paths.append(source)
        if not arguments.has("-s", "--symbolic"):
            paths.append(source.with_access("write"))
        paths.append(analysis.path(target if folder is None else analysis.arrival(text, folder), "write", follow=False))
    return paths

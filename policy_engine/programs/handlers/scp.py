"""`scp`: copies files to and from other machines."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known
from policy_engine.programs.base import Arguments, EffectAnalysis, is_remote


def _batch(text: str, analysis: EffectAnalysis) -> list[PathValue]:
    """Return what the commands of `sftp` on its standard input send, fetch and start."""
    paths: list[PathValue] = []
    for line in text.split("\n"):
        verb, *words = line.lstrip("-@ ").split() or [""]
        names = [word for word in words if word[:1] != "-"]
        if verb in ("put", "mput", "reput"):
            sent = [analysis.path(name, "read", "-r" in words or "-R" in words) for name in names[:1]]
            analysis.send(sent)
            paths += sent
        elif verb in ("get", "mget", "reget"):
            paths += analysis.fetched(names[:1], names[1] if names[1:] else ".", True)
        elif verb[:1] == "!":
            analysis.shell(line.strip().lstrip("!"))
    return paths


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    analysis.does("network")
    if arguments.has("-S"):
        analysis.does("executes")
    if not arguments.operands:
        return []
    recursive = arguments.has("-r", "-R")
    *sources, target = arguments.operands
    if analysis.name == "sftp":
        batch = _batch(analysis.feed if analysis.feed is not None and is_known(analysis.feed) else "", analysis)
        return batch + (analysis.fetched(sources, target, True) if sources else [])
    paths = [analysis.path(text, "read", recursive) for text in sources if not is_remote(text)]
    return paths + ([] if is_remote(target) else analysis.fetched(sources, target, recursive))

"""`scp`: copies files to and from other machines."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known
from policy_engine.programs.base import Arguments, EffectAnalysis


def _remote(text: str) -> bool:
    return ":" in text.partition("/")[0]


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
            paths += [analysis.path(name, "write", True) for name in names[1:2] or ["."]]
        elif verb[:1] == "!":
            analysis.shell(line.strip().lstrip("!"))
    return paths


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    analysis.does("network")
    if arguments.has("-S"):
        analysis.does("executes")
    if not arguments.operands:
        return []
    if analysis.name == "sftp":
        given = [analysis.path(text, "write", True) for text in arguments.operands[1:]]
        return given + _batch(analysis.feed if analysis.feed is not None and is_known(analysis.feed) else "", analysis)
    recursive = arguments.has("-r", "-R")
    *sources, target = arguments.operands
    paths = [analysis.path(text, "read", recursive) for text in sources if not _remote(text)]
    if not _remote(target):
        inside = analysis.is_folder(analysis.path(target, "write"))
        for text in sources:
            arrival = analysis.arrival(text.rpartition(":")[2], target) if inside else target
            paths.append(analysis.path(arrival, "write", recursive))
    return paths

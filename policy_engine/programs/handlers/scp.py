"""`scp`, `sftp`, `ftp`, `lftp`, `smbclient`: copy files to and from other machines."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known
from policy_engine.programs.base import Arguments, EffectAnalysis, is_remote

_TOLD = ("lftp", "smbclient")  # whose words hold commands


def _told(texts: list[str], analysis: EffectAnalysis) -> list[PathValue]:
    """Return what the commands of `sftp`, `ftp` and their kin send, fetch, delete and start."""
    paths: list[PathValue] = []
    folder = ""
    for line in "\n".join(texts).replace(";", "\n").replace("&&", "\n").split("\n"):
        verb, *words = line.strip().lstrip("-@ ").split() or [""]
        names = [word.strip("'\"") for word in words if word[:1] != "-"]
        reverse = verb == "mirror" and any(word in ("-R", "--reverse") for word in words)
        if verb == "lcd":
            folder = f"{names[0]}/" if names else ""
        elif verb in ("put", "mput", "reput", "send") or reverse:
            one = reverse or (verb == "put" and analysis.name != "lftp")
            given = (names or ["."])[:1] if one else names
            sent = [analysis.path(folder + name, "read", reverse or "-r" in words or "-R" in words) for name in given]
            analysis.send(sent)
            paths += sent
        elif verb in ("get", "mget", "reget", "pget", "recv", "mirror"):
            paths += analysis.fetched(names[:1] or ["."], names[1] if names[1:] else ".", True, not names)
        elif verb in ("rm", "mrm", "rmdir", "delete", "mdelete"):
            analysis.does("destroys")
        elif verb[:1] == "!":
            analysis.shell(line.strip().lstrip("!"))
    return paths


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    analysis.does("network")
    if arguments.has("-S"):
        analysis.does("executes")
    recursive = arguments.has("-r", "-R")
    *sources, target = arguments.operands or [""]
    if analysis.name in ("sftp", "ftp", *_TOLD):
        given = arguments.values("-c", "-e") if analysis.name in _TOLD else []
        paths = _told([text for text in [*given, analysis.feed or ""] if is_known(text)], analysis)
        return paths + (analysis.fetched(sources, target, True) if sources and analysis.name == "sftp" else [])
    paths = [analysis.path(text, "read", recursive) for text in sources if not is_remote(text)]
    return paths + ([] if is_remote(target) or not target else analysis.fetched(sources, target, recursive))

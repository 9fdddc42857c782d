"""`rclone`, `gsutil` and others that copy files to stores and back."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis, play_store_copy

_COPIES = ("cp", "mv", "copy", "move", "sync", "rsync", "copyto", "moveto", "put", "get", "upload", "mirror", "cat")
_DEEP = ("sync", "rsync", "mirror")
_MIRRORS = frozenset(
    ("-d", "--delete", "--remove", "--delete-removed", "--delete-destination", "--delete-destination=true")
)
_VALUED = frozenset(
    (
        "--transfers --checkers --bwlimit --exclude --include --filter --filter-from --exclude-from --include-from "
        "--max-age --min-age --log-level --log-file --config --stats --retries --retries-sleep --max-delete "
        "--backup-dir --suffix --tpslimit"
    ).split()
)
_REMOVES = ("rm", "rb", "del", "delete", "deletefile", "purge", "rmdirs", "remove", "delete-file-version")


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    analysis.does("network")
    if analysis.name == "rclone" and not {"--dry-run", "-n"}.isdisjoint(arguments.operands):
        return []
    words = [
        word
        for before, word in zip(("", *arguments.operands), arguments.operands, strict=False)
        if word[:1] != "-" and before not in _VALUED
    ]
    while words and words[0] not in _COPIES:
        if words.pop(0) in _REMOVES:
            analysis.does("destroys")
    verb, names = (words[0], words[1:]) if words else ("", [])
    if analysis.name in (
        "mc",
        "mcli",
        "minio-client",
    ):  # an alias stands before the first slash of what lies in a store
        names = [name if name[:1] in "./" or analysis.has(name) else f"{name}:" for name in names]
    recursive = verb in _DEEP or (analysis.name == "rclone" and verb not in ("copyto", "moveto"))
    recursive = recursive or any(word in ("-r", "-R", "--recursive") for word in arguments.operands)
    whole = recursive and (verb in _DEEP or analysis.name == "rclone")
    mirrors = (verb == "sync" and analysis.name == "rclone") or not _MIRRORS.isdisjoint(arguments.operands)
    return play_store_copy(names, analysis, recursive, whole, whole and mirrors)

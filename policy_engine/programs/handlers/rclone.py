"""`rclone`, `gsutil` and others that copy files to stores and back."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis, play_store_copy

_COPIES = ("cp", "mv", "copy", "move", "sync", "rsync", "copyto", "moveto", "put", "get", "upload", "mirror", "cat",
           "rcat", "pipe", "copyurl", "bisync", "upload-file", "upload-unbound-stream")  # fmt: skip
_STREAMS = ("rcat", "pipe")  # what they are fed goes to the store
_UPLOADS = ("upload", "upload-file", "upload-unbound-stream")  # to a store whose name has no mark
_MOVES = ("mv", "move", "moveto")
_DEEP = ("sync", "rsync", "mirror")
_MIRRORS = frozenset(
    ("-d", "--delete", "--remove", "--delete-removed", "--delete-destination", "--delete-destination=true")
)
_VALUED = frozenset(
    (
        "--transfers --checkers --bwlimit --exclude --include --filter --filter-from --exclude-from --include-from "
        "--max-age --min-age --log-level --log-file --config --stats --retries --retries-sleep --max-delete "
        "--backup-dir --suffix --tpslimit --password-command --metadata-mapper --sftp-ssh"
    ).split()
)
_LINES = ("--password-command", "--metadata-mapper", "--sftp-ssh")
_REMOVES = ("rm", "rb", "del", "delete", "deletefile", "purge", "rmdirs", "remove", "delete-file-version")


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    analysis.does("network")
    if analysis.name == "rclone" and not {"--dry-run", "-n"}.isdisjoint(arguments.operands):
        return []
    words = [
        word
        for before, word in zip(("", *arguments.operands), arguments.operands, strict=False)
        if (word[:1] != "-" or word == "-") and before not in _VALUED
    ]
    paths = _of_options(arguments.operands, analysis)
    while words and words[0] not in _COPIES:
        if words.pop(0) in _REMOVES:
            analysis.does("destroys")
            paths += [analysis.path(word, "delete", True) for word in words if _is_here(word, analysis)]
    verb, names = (words[0], words[1:]) if words else ("", [])
    if analysis.name in (
        "mc",
        "mcli",
        "minio-client",
    ):  # an alias stands before the first slash of what lies in a store
        names = [name if name[:1] in "./" or analysis.has(name) else f"{name}:" for name in names]
    if verb in _STREAMS:
        analysis.does("sends")
        return paths
    if verb == "copyurl":
        return paths + [analysis.path(name, "write", True) for name in names[-1:] if ":" not in name]
    if verb in _UPLOADS and analysis.name in ("b2", "coscmd"):
        paths += [analysis.path(name, "read", True) for name in names if _is_here(name, analysis)]
        analysis.does("sends")
        analysis.send(paths)
        return paths
    if verb in _MOVES:
        paths += [analysis.path(name, "delete", True) for name in names[:-1] if ":" not in name]
    recursive = verb in _DEEP or (analysis.name == "rclone" and verb not in ("copyto", "moveto"))
    recursive = recursive or any(word in ("-r", "-R", "--recursive") for word in arguments.operands)
    whole = recursive and (verb in _DEEP or analysis.name == "rclone")
    mirrors = (verb == "sync" and analysis.name == "rclone") or not _MIRRORS.isdisjoint(arguments.operands)
    if verb == "bisync":
        paths += play_store_copy(names[::-1], analysis, recursive, whole, False)
    return paths + play_store_copy(names, analysis, recursive, whole, whole and mirrors)


def _of_options(words: list[str], analysis: EffectAnalysis) -> list[PathValue]:
    """Return the file that is written as a log; play the lines that options name."""
    paths: list[PathValue] = []
    for word, follows in zip(words, [*words[1:], ""], strict=True):
        option, equals, value = word.partition("=")
        if option == "--log-file":
            paths.append(analysis.path(value if equals else follows, "write"))
        elif option in _LINES:
            analysis.shell(value if equals else follows)
    return paths


def _is_here(name: str, analysis: EffectAnalysis) -> bool:
    """Return whether a name is a file of this machine, and none of a store."""
    return ":" not in name and analysis.has(name)

"""`rsync`: copies folders; with `--delete` it removes what the source does not have.

With `--link-dest` it makes hard links to the files of another folder, which count as written.
"""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import FLAG, OPTIONAL, VALUE, Arguments, Program, Scene


def _remote(text: str) -> bool:
    return ":" in text.partition("/")[0] or text.startswith("rsync://")


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    for text in arguments.values("-e", "--rsh", "--rsync-path"):
        scene.shell(text)
    if any(map(_remote, arguments.operands)):
        scene.does("network")
    if len(arguments.operands) < 2:
        return [scene.path(text, "read", True) for text in arguments.operands]
    *sources, target = arguments.operands
    paths = [scene.path(text, "read", True) for text in sources if not _remote(text)]
    paths += [scene.path(text, "write") for text in arguments.values("--log-file", "--write-batch")]
    if arguments.has("-n", "--dry-run"):
        return paths
    if arguments.has("--remove-source-files"):
        paths += [scene.path(text, "delete", True) for text in sources if not _remote(text)]
    if _remote(target):
        return paths
    for text in arguments.values("--link-dest"):  # read from the target where it is relative
        place = text if text[:1] == "/" else f"{target}/{text}"
        paths += [scene.path(place, access, True) for access in ("read", "write")]
    deep = arguments.has("-a", "-r", "--archive", "--recursive", "--delete", "--files-from")
    paths += [scene.path(text, "write", deep) for text in [target, *arguments.values("--backup-dir", "--temp-dir")]]
    if any(name.startswith("--del") for name, _ in arguments.options):
        whole = all(text.endswith("/") for text in sources)
        paths += (
            [scene.path(target, "delete", True)]
            if whole
            else [scene.path(scene.arrival(text, target), "delete", True) for text in sources]
        )
    return paths


PROGRAM = Program(
    "rsync",
    short="0468abcdEgHhIJKkLlmnNoOpPqrRsStuUvwWxXyzA",
    short_values="BefM@T",
    long={
        "archive": FLAG, "recursive": FLAG, "delete": FLAG, "del": FLAG, "delete-before": FLAG, "delete-during": FLAG,
        "delete-delay": FLAG, "delete-after": FLAG, "delete-excluded": FLAG, "remove-source-files": FLAG,
        "dry-run": FLAG, "rsh": VALUE, "rsync-path": VALUE, "exclude": VALUE, "include": VALUE,
        "exclude-from": VALUE, "include-from": VALUE, "files-from": VALUE, "filter": VALUE, "backup": FLAG,
        "backup-dir": VALUE, "suffix": VALUE, "temp-dir": VALUE, "partial-dir": VALUE, "log-file": VALUE,
        "progress": FLAG, "stats": FLAG, "verbose": FLAG, "quiet": FLAG, "checksum": FLAG, "update": FLAG,
        "inplace": FLAG, "links": FLAG, "copy-links": FLAG, "perms": FLAG, "times": FLAG, "owner": FLAG,
        "group": FLAG, "compress": FLAG, "partial": FLAG, "human-readable": FLAG, "info": OPTIONAL,
        "max-delete": VALUE, "delete-missing-args": FLAG, "force": FLAG, "numeric-ids": FLAG, "relative": FLAG,
        "mkpath": FLAG, "ignore-existing": FLAG, "existing": FLAG, "size-only": FLAG, "link-dest": VALUE,
        "compare-dest": VALUE, "copy-dest": VALUE, "out-format": VALUE, "bwlimit": VALUE, "timeout": VALUE,
        "itemize-changes": FLAG, "no-relative": FLAG, "no-perms": FLAG, "no-owner": FLAG, "no-group": FLAG,
        "no-times": FLAG, "chmod": VALUE, "chown": VALUE, "password-file": VALUE, "write-batch": VALUE,
        "daemon": FLAG, "help": FLAG, "version": FLAG,
    },
    touched=_touched,
    abbreviates=True,
)  # fmt: skip

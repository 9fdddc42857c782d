"""`ls`: looks at its operands, or at the folder it runs in; it shows names, not what the files hold."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import FLAG, OPTIONAL, VALUE, Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    deep = arguments.has("-R", "--recursive")
    return [scene.path(text, "read", deep) for text in arguments.operands or ["."]]


PROGRAM = Program(
    "ls",
    short="aAbBcCdDfFgGhHiklLmnNopqQrRsStuUvxXZ1",
    short_values="ITw",
    long={
        "all": FLAG, "almost-all": FLAG, "author": FLAG, "escape": FLAG, "block-size": VALUE, "ignore-backups": FLAG,
        "color": OPTIONAL, "directory": FLAG, "dired": FLAG, "classify": OPTIONAL, "file-type": FLAG, "format": VALUE,
        "full-time": FLAG, "group-directories-first": FLAG, "no-group": FLAG, "human-readable": FLAG, "si": FLAG,
        "dereference-command-line": FLAG, "dereference-command-line-symlink-to-dir": FLAG, "hide": VALUE,
        "hyperlink": OPTIONAL, "indicator-style": VALUE, "inode": FLAG, "ignore": VALUE, "kibibytes": FLAG,
        "dereference": FLAG, "numeric-uid-gid": FLAG, "literal": FLAG, "hide-control-chars": FLAG,
        "show-control-chars": FLAG, "quote-name": FLAG, "quoting-style": VALUE, "reverse": FLAG, "recursive": FLAG,
        "size": FLAG, "sort": VALUE, "time": VALUE, "time-style": VALUE, "tabsize": VALUE, "width": VALUE,
        "context": FLAG, "zero": FLAG, "help": FLAG, "version": FLAG,
    },
    touched=_touched,
    abbreviates=True,
    looks=True,
    read_only=True,
    no_option_harms=True,
)  # fmt: skip

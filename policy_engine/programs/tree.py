"""`tree`: shows the names below its operands."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import FLAG, OPTIONAL, VALUE, Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    paths = [scene.path(text, "read", True) for text in arguments.operands or ["."]]
    return paths + [scene.path(text, "write") for text in arguments.values("-o")]


PROGRAM = Program(
    "tree",
    short="adflxgDFhinpqrsStuUvNQACJX",
    short_values="LIPHTo",
    long={
        "dirsfirst": FLAG, "noreport": FLAG, "charset": VALUE, "filelimit": VALUE, "gitignore": FLAG,
        "matchdirs": FLAG, "prune": FLAG, "du": FLAG, "si": FLAG, "timefmt": VALUE, "sort": OPTIONAL, "inodes": FLAG,
        "device": FLAG, "help": FLAG, "version": FLAG,
    },
    touched=_touched,
    read_only=True,
    looks=True,
)  # fmt: skip

"""`mkfifo`, `mknod`, `fallocate`: make files."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import FLAG, VALUE, Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    return [scene.path(text, "write") for text in arguments.operands]


PROGRAM = Program(
    "mkfifo",
    short_values="mloZ",
    long={"mode": VALUE, "length": VALUE, "offset": VALUE, "help": FLAG, "version": FLAG},
    touched=_touched,
    tolerant=True,
)

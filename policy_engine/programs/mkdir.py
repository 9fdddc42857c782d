"""`mkdir`: writes its operands."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import FLAG, OPTIONAL, VALUE, Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    return [scene.path(text, "write") for text in arguments.operands]


PROGRAM = Program(
    "mkdir",
    short="pvZ",
    short_values="m",
    long={"mode": VALUE, "parents": FLAG, "verbose": FLAG, "context": OPTIONAL, "help": FLAG, "version": FLAG},
    touched=_touched,
    abbreviates=True,
)

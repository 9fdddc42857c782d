"""`tr`: replaces characters of what it reads, which may unscramble it."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import FLAG, Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    if len(arguments.operands) > 1:
        scene.does("decodes")
    return []


PROGRAM = Program(
    "tr",
    short="cCdst",
    long={
        "complement": FLAG, "delete": FLAG, "squeeze-repeats": FLAG, "truncate-set1": FLAG, "help": FLAG,
        "version": FLAG,
    },
    read_only=True,
    touched=_touched,
    abbreviates=True,
)  # fmt: skip

"""`tee`: writes what it reads into its operands."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import FLAG, OPTIONAL, Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    return [scene.path(text, "write") for text in arguments.operands if text != "-"]


PROGRAM = Program(
    "tee",
    short="aip",
    long={
        "append": FLAG, "ignore-interrupts": FLAG, "output-error": OPTIONAL, "help": FLAG, "version": FLAG,
    },
    touched=_touched,
    abbreviates=True,
    evident=(),
    authors=True,
)  # fmt: skip

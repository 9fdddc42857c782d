"""`shred`: overwrites its operands; `-u` removes them too."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import FLAG, OPTIONAL, VALUE, Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    paths = [scene.path(text, "write") for text in arguments.operands if text != "-"]
    if arguments.has("-u", "--remove"):
        paths += [scene.path(text, "delete") for text in arguments.operands]
    return paths


PROGRAM = Program(
    "shred",
    short="fuvxz",
    short_values="ns",
    long={
        "force": FLAG, "iterations": VALUE, "random-source": VALUE, "size": VALUE, "remove": OPTIONAL,
        "verbose": FLAG, "exact": FLAG, "zero": FLAG, "help": FLAG, "version": FLAG,
    },
    touched=_touched,
    abbreviates=True,
)  # fmt: skip

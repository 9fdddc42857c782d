"""`rm`: removes its operands; a link itself, not what it points to, unless it ends in `/`."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import FLAG, OPTIONAL, Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    recursive = arguments.has("-r", "-R", "--recursive") or bool(arguments.unsure)
    return [scene.path(text, "delete", recursive, follow=False) for text in arguments.operands]


PROGRAM = Program(
    "rm",
    short="dfiIrRvx",  # -x is --one-file-system of BSD
    long={
        "force": FLAG, "interactive": OPTIONAL, "one-file-system": FLAG, "no-preserve-root": FLAG,
        "preserve-root": OPTIONAL, "recursive": FLAG, "dir": FLAG, "verbose": FLAG, "help": FLAG, "version": FLAG,
    },
    touched=_touched,
    abbreviates=True,
    evident=("-f", "--force"),
)  # fmt: skip

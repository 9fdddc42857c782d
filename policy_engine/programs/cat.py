"""`cat`: reads its operands and shows what they hold."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import FLAG, Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    return [scene.path(text, "read") for text in arguments.operands if text != "-"]


PROGRAM = Program(
    "cat",
    short="AbeEnstTuv",
    long={
        "show-all": FLAG, "number-nonblank": FLAG, "show-ends": FLAG, "number": FLAG, "squeeze-blank": FLAG,
        "show-tabs": FLAG, "show-nonprinting": FLAG, "help": FLAG, "version": FLAG,
    },
    touched=_touched,
    abbreviates=True,
    shows_content=True,
)  # fmt: skip

"""`truncate`: writes its operands, reads the file that `-r` names."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import FLAG, VALUE, Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    paths = [scene.path(text, "write") for text in arguments.operands]
    return paths + [scene.path(text, "read") for text in arguments.values("-r", "--reference")]


PROGRAM = Program(
    "truncate",
    short="co",
    short_values="rs",
    long={
        "no-create": FLAG, "io-blocks": FLAG, "reference": VALUE, "size": VALUE, "help": FLAG, "version": FLAG,
    },
    touched=_touched,
    abbreviates=True,
    evident=('-c', '--no-create'),
)  # fmt: skip

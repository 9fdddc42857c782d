"""`touch`: writes its operands, reads the file that `-r` names."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import FLAG, VALUE, Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    paths = [scene.path(text, "write") for text in arguments.operands if text != "-"]
    reference = arguments.last("-r", "--reference")
    return paths if reference is None else [*paths, scene.path(reference, "read")]


PROGRAM = Program(
    "touch",
    short="acfhm",
    short_values="drt",
    long={
        "date": VALUE, "no-create": FLAG, "no-dereference": FLAG, "reference": VALUE, "time": VALUE, "help": FLAG,
        "version": FLAG,
    },
    touched=_touched,
    abbreviates=True,
    evident=("*",),
)  # fmt: skip

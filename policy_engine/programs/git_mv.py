"""`git mv`: renames files."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import FLAG, Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    if arguments.has("-n", "--dry-run"):
        return []
    paths = [scene.path(text, "delete", follow=False) for text in arguments.operands[:-1]]
    return paths + [scene.path(text, "write") for text in arguments.operands[-1:]]


PROGRAM = Program(
    "git-mv",
    short="fknv",
    long={"force": FLAG, "dry-run": FLAG, "verbose": FLAG, "sparse": FLAG, "help": FLAG},
    touched=_touched,
    abbreviates=True,
)

"""`chown`: changes the owner of its operands."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import FLAG, VALUE, Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    deep = arguments.has("-R", "--recursive")
    reference = arguments.values("--reference")
    files = arguments.operands if reference else arguments.operands[1:]
    return [scene.path(text, "write", deep) for text in files]


PROGRAM = Program(
    "chown",
    short="cfhHLPRv",
    long={
        "changes": FLAG, "dereference": FLAG, "no-dereference": FLAG, "from": VALUE, "no-preserve-root": FLAG,
        "preserve-root": FLAG, "quiet": FLAG, "silent": FLAG, "verbose": FLAG, "reference": VALUE, "recursive": FLAG,
        "help": FLAG, "version": FLAG,
    },
    touched=_touched,
    abbreviates=True,
)  # fmt: skip

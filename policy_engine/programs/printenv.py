"""`printenv`: prints the environment, or the variables that it names."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import FLAG, Arguments, Program, Scene

_SECRETS = ("SECRET", "TOKEN", "PASSW", "KEY", "CREDENTIAL", "AUTH", "PRIVATE")


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    if not arguments.operands or any(part in name.upper() for name in arguments.operands for part in _SECRETS):
        scene.does("discloses")
    return []


PROGRAM = Program(
    "printenv",
    short="0",
    long={
        "null": FLAG, "help": FLAG, "version": FLAG,
    },
    read_only=True,
    touched=_touched,
)  # fmt: skip

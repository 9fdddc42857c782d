"""`hostname`: prints the name of the machine, or sets it."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import FLAG, Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    if arguments.operands or arguments.has("-F"):
        scene.does("configures")
    return []


PROGRAM = Program(
    "hostname",
    short="aAdfiIsy",
    short_values="F",
    long={
        "all-fqdns": FLAG, "fqdn": FLAG, "short": FLAG, "domain": FLAG, "ip-address": FLAG, "help": FLAG,
        "version": FLAG,
    },
    touched=_touched,
    read_only=True,
)  # fmt: skip

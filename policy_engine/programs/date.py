"""`date`: prints the time; with `-s` it sets the clock."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import FLAG, OPTIONAL, VALUE, Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    if arguments.has("-s", "--set") or any(text[:1] != "+" for text in arguments.operands):
        scene.does("configures")
    return [scene.path(text, "read") for text in arguments.values("-f", "--file", "-r", "--reference")]


PROGRAM = Program(
    "date",
    short="Ru",
    short_values="dfIrs",
    long={
        "date": VALUE, "file": VALUE, "iso-8601": OPTIONAL, "rfc-email": FLAG, "rfc-3339": VALUE, "reference": VALUE,
        "set": VALUE, "utc": FLAG, "universal": FLAG, "debug": FLAG, "resolution": FLAG, "help": FLAG,
        "version": FLAG,
    },
    touched=_touched,
    abbreviates=True,
    read_only=True,
)  # fmt: skip

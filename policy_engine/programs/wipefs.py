"""`wipefs`: shows the signatures of a device; with `-a` or `-o` it erases them."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import FLAG, OPTIONAL, VALUE, Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    acts = arguments.has("-a", "--all", "-o", "--offset") and not arguments.has("-n", "--no-act")
    if not acts and not arguments.unsure:
        return [scene.path(text, "read") for text in arguments.operands]
    return scene.formats(arguments.operands)


PROGRAM = Program(
    "wipefs",
    short="afihnJpqV",
    short_values="Oot",
    short_optional="b",
    long={
        "all": FLAG, "backup": OPTIONAL, "force": FLAG, "noheadings": FLAG, "json": FLAG, "no-act": FLAG,
        "output": VALUE, "offset": VALUE, "parsable": FLAG, "quiet": FLAG, "types": VALUE, "lock": OPTIONAL,
        "help": FLAG, "version": FLAG,
    },
    touched=_touched,
    abbreviates=True,
    informs=("--help", "--version", "-h", "-V"),
)  # fmt: skip

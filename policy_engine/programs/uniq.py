"""`uniq`: drops repeated lines; its second operand is written."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import FLAG, OPTIONAL, VALUE, Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    paths = [scene.path(text, "read") for text in arguments.operands[:1] if text != "-"]
    return paths + [scene.path(text, "write") for text in arguments.operands[1:] if text != "-"]


PROGRAM = Program(
    "uniq",
    short="cdDiuz",
    short_values="fsw",
    long={
        "count": FLAG, "repeated": FLAG, "all-repeated": OPTIONAL, "skip-fields": VALUE, "group": OPTIONAL,
        "ignore-case": FLAG, "skip-chars": VALUE, "unique": FLAG, "zero-terminated": FLAG, "check-chars": VALUE,
        "help": FLAG, "version": FLAG,
    },
    touched=_touched,
    abbreviates=True,
    shows_content=True,
    read_only=True,
    authors=True,
)  # fmt: skip

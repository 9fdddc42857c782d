"""`base64`: encodes, or decodes with `-d`."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import FLAG, VALUE, Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    if arguments.has("-d", "-D", "--decode"):
        scene.does("decodes")
    reads = arguments.operands + arguments.values("--input")
    if arguments.has("-i") and arguments.operands:
        reads = arguments.operands
    paths = [scene.path(text, "read") for text in reads if text != "-"]
    return paths + [scene.path(text, "write") for text in arguments.values("-o", "--output") if text != "-"]


PROGRAM = Program(
    "base64",
    short="dDi",
    short_values="wob",
    long={
        "decode": FLAG, "ignore-garbage": FLAG, "wrap": VALUE, "base64": FLAG, "base32": FLAG, "base16": FLAG,
        "base64url": FLAG, "input": VALUE, "output": VALUE, "break": VALUE, "help": FLAG, "version": FLAG,
    },
    read_only=True,
    touched=_touched,
    shows_content=True,
    abbreviates=True,
    authors=True,
)  # fmt: skip

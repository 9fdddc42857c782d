"""`jq`: filters JSON files."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import FLAG, VALUE, Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    files = arguments.operands if arguments.has("-f", "--from-file") else arguments.operands[1:]
    paths = [scene.path(text, "read") for text in files]
    return paths + [scene.path(text, "read") for text in arguments.values("-f", "--from-file")]


PROGRAM = Program(
    "jq",
    short="cCehjMnrRsSa",
    short_values="fL",
    long={
        "null-input": FLAG, "raw-input": FLAG, "slurp": FLAG, "compact-output": FLAG, "raw-output": FLAG,
        "join-output": FLAG, "ascii-output": FLAG, "sort-keys": FLAG, "color-output": FLAG,
        "monochrome-output": FLAG, "tab": FLAG, "indent": VALUE, "unbuffered": FLAG, "stream": FLAG, "seq": FLAG,
        "exit-status": FLAG, "from-file": VALUE, "args": FLAG, "jsonargs": FLAG, "help": FLAG, "version": FLAG,
    },
    touched=_touched,
    shows_content=True,
    tolerant=True,
)  # fmt: skip

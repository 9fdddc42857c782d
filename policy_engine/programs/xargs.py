"""`xargs`: starts a program with what it reads as words."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import FLAG, OPTIONAL, VALUE, Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    scene.does("executes")
    return [scene.path(text, "read") for text in arguments.values("-a", "--arg-file")]


PROGRAM = Program(
    "xargs",
    short="0oprtx",
    short_values="adEILnPs",
    short_optional="eil",
    long={
        "null": FLAG, "arg-file": VALUE, "delimiter": VALUE, "eof": OPTIONAL, "replace": OPTIONAL,
        "max-lines": OPTIONAL, "max-args": VALUE, "open-tty": FLAG, "max-procs": VALUE, "interactive": FLAG,
        "process-slot-var": VALUE, "no-run-if-empty": FLAG, "max-chars": VALUE, "show-limits": FLAG, "verbose": FLAG,
        "exit": FLAG, "help": FLAG, "version": FLAG,
    },
    touched=_touched,
    stops=True,
)  # fmt: skip

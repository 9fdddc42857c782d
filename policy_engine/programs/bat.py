"""`bat`: shows its operands."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import FLAG, OPTIONAL, VALUE, Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    if arguments.has("--pager"):
        scene.does("executes")
    return [scene.path(text, "read") for text in arguments.operands if text != "-"]


PROGRAM = Program(
    "bat",
    short="ApPnfdS",
    short_values="lHMr",
    long={
        "pager": VALUE, "paging": VALUE, "style": VALUE, "theme": VALUE, "language": VALUE, "plain": OPTIONAL,
        "color": VALUE, "line-range": VALUE, "show-all": FLAG, "number": FLAG, "help": FLAG, "version": FLAG,
    },
    touched=_touched,
    shows_content=True,
    tolerant=True,
)  # fmt: skip

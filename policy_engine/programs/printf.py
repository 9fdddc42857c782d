"""`printf`: prints its words."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    if arguments.operands[:1] == ["-v"]:
        scene.does("configures")  # it sets a variable of the shell
    if any("\\x" in word or "\\0" in word or "\\u" in word for word in arguments.operands[:1]):
        scene.does("decodes")
    return []


PROGRAM = Program(
    "printf",
    touched=_touched,
    raw=True,
    read_only=True,
)

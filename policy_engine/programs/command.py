"""`command`: starts a program, which is a command of its own; with `-v` it says which one that would be."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Program, Scene


def _touched(_arguments: Arguments, _scene: Scene) -> list[PathValue]:
    return []


PROGRAM = Program(
    "command",
    touched=_touched,
    raw=True,
    read_only=True,
)

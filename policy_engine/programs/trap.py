"""`trap`: names a line for the shell to run at its end or at a signal; that line is a command of its own."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Program, Scene


def _touched(_arguments: Arguments, _scene: Scene) -> list[PathValue]:
    return []


PROGRAM = Program(
    "trap",
    touched=_touched,
    raw=True,
)

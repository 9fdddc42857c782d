"""`fork-bomb`: what `:(){ :|:& };:` stands for, a function that starts itself again and again."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Program, Scene


def _touched(_arguments: Arguments, scene: Scene) -> list[PathValue]:
    scene.does("formats", "kills")
    return []


PROGRAM = Program(
    "fork-bomb",
    touched=_touched,
    raw=True,
)

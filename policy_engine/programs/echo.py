"""`echo`: prints its words and touches nothing."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Program, Scene


def _touched(_arguments: Arguments, _scene: Scene) -> list[PathValue]:
    return []


PROGRAM = Program("echo", touched=_touched, raw=True)

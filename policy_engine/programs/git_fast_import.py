"""`git fast-import`: makes commits out of a stream, past every hook."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    scene.doubt("skips-hooks", "commits of a stream run no hooks")
    scene.doubt("discards", "a stream may move every branch")
    return []


PROGRAM = Program(
    "git-fast-import",
    touched=_touched,
    raw=True,
)

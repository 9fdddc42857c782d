"""`pre_commit`: manages git hooks: uninstalling them leaves them out."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    scene.does("executes")
    if any(word in ("uninstall", "--uninstall", "disable") for word in arguments.operands):
        scene.does("skips-hooks")
    return []


PROGRAM = Program(
    "pre-commit",
    touched=_touched,
    raw=True,
)

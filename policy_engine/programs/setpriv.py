"""`setpriv`: starts a command with other rights: as another user where it is told so."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    scene.does("executes")
    if any(word.startswith(("--reuid", "--ruid", "--euid", "--regid", "--init-groups")) for word in arguments.operands):
        scene.does("elevates")
    return []


PROGRAM = Program(
    "setpriv",
    touched=_touched,
    raw=True,
)

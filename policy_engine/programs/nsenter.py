"""`nsenter`, `chroot`: start a command among the files or processes of another system, which takes rights."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    if arguments.operands not in (["--help"], ["--version"]):
        scene.does("executes")
        scene.doubt("elevates", f"`{scene.name}` takes the rights of root, and gives them on")
    return []


PROGRAM = Program(
    "nsenter",
    touched=_touched,
    raw=True,
)

"""`Start-Process` of PowerShell: starts a program, with the rights of an administrator after `-Verb RunAs`."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, Scene


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    words = [word.lower() for word in arguments.operands]
    scene.does("executes")
    if "runas" in words or any(word.startswith("-verb:runas") for word in words):
        scene.does("elevates")
    scene.doubt("*", "what the program that it starts does is not modelled")
    return []

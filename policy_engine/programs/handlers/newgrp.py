"""`newgrp`, `sg`: start a shell or a command with the rights of another group."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, Scene


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    scene.does("executes", "elevates")
    words = arguments.operands
    for place, word in enumerate(words[:-1]):
        if word == "-c":
            scene.shell(words[place + 1])
    return []

"""`history`: lists or writes the lines of the shell."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, Scene


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    words = arguments.operands
    return [scene.path(words[place + 1], "write") for place, word in enumerate(words[:-1]) if word in ("-w", "-a")]

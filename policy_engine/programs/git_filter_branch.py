"""`git filter-branch`: rewrites the history of local branches through shell lines."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    scene.does("executes")
    words = arguments.operands
    for place, word in enumerate(words[:-1]):
        if word.endswith("-filter") and word[:2] == "--":
            scene.shell(words[place + 1])
    return []


PROGRAM = Program(
    "git-filter-branch",
    touched=_touched,
    raw=True,
)

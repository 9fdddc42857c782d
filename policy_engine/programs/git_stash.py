"""`git stash`: puts changes aside; `drop` and `clear` throw them away."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    words = arguments.operands
    verb = words[0] if words and words[0][:1] != "-" else "push"
    if verb in ("drop", "clear"):
        scene.does("discards")
    if verb in ("push", "save", "pop", "apply"):
        # Its operands are files whose changes are taken back.
        return [scene.path(text, "write", True) for text in words[1:] if text[:1] != "-" and verb == "push"]
    return []


PROGRAM = Program(
    "git-stash",
    touched=_touched,
    raw=True,
)

"""`git tag`: lists, makes or deletes tags."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Scene


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    if arguments.operands and not arguments.has("-l", "--list", "-v", "--verify", "-n"):
        scene.does("configures")
        if arguments.has("-d", "--delete"):
            scene.doubt("discards", "commits may be left without a name")
    return [scene.path(text, "read") for text in arguments.values("-F", "--file") if text != "-"]

"""`fish` and other shells whose language is not read: they run a line, a script or their input."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, Scene


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    words = arguments.operands
    scene.does("executes")
    if any(word in ("-c", "--command", "-C", "--init-command") for word in words):
        scene.doubt("*", f"what `{scene.name}` runs is written in a language that is not read")
        return [
            scene.may_touch(scene.name, "what the line touches is not known", way, True)
            for way in ("read", "write", "delete")
        ]
    scripts = [word for word in words if word[:1] != "-"]
    if not scripts:
        scene.does("executes-input")
    return [scene.run(text) for text in scripts[:1]]

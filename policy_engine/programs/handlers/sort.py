"""`sort`: sorts lines; `-o` names where they go."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Scene


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    for text in arguments.values("--compress-program"):
        scene.shell(text)
    paths = [scene.path(text, "read") for text in arguments.operands if text != "-"]
    for text in arguments.values("--files0-from"):
        paths += [scene.path(text, "read"), scene.unknown(text, f"the files that `{text[:80]}` names", "read")]
    return paths + [scene.path(text, "write") for text in arguments.values("-o", "--output")]

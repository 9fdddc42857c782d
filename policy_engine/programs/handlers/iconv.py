"""`iconv`, `pandoc` and others that read files and print, or write where `-o` says."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Scene


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    if scene.name == "uudecode":
        scene.does("decodes")
    paths: list[PathValue] = []
    waiting = list(reversed(arguments.operands))
    while waiting:
        word = waiting.pop()
        if word in ("-o", "--output") and waiting:
            paths.append(scene.path(waiting.pop(), "write"))
        elif word.startswith("--output="):
            paths.append(scene.path(word.partition("=")[2], "write"))
        elif word[:1] != "-":
            paths.append(scene.path(word, "read"))
    return [path for path in paths if path.text not in ("-", "/dev/stdout")]

"""`lynx` and others that print what they fetch: mail and text browsers, `ftp`, `dig`."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, Scene


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    scene.does("network")
    words = arguments.operands
    for word in words:
        if word.startswith("file:"):
            return [scene.path(word[5:].replace("//", "", 1) or "/", "read")]
    if scene.name in ("ftp", "lftp"):
        return [scene.path(words[place + 1], "write") for place, word in enumerate(words[:-1])
                if word == "-o" and words[place + 1] != "-"]  # fmt: skip
    return []

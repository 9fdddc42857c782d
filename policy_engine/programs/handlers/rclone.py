"""`rclone`, `gsutil` and others that copy files to stores and back."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, Scene

_COPIES = ("cp", "mv", "copy", "move", "sync", "rsync", "copyto", "moveto", "put", "get", "upload", "mirror", "cat")


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    scene.does("network")
    words = [word for word in arguments.operands if word[:1] != "-"]
    while words and words[0] not in _COPIES:
        words.pop(0)
    names = words[1:]
    local = [(place, word) for place, word in enumerate(names) if ":" not in word]
    last = len(names) - 1
    return [scene.path(word, "write" if place == last and last else "read", True) for place, word in local]

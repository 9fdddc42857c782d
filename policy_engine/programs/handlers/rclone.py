"""`rclone`, `gsutil` and others that copy files to stores and back."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, Scene

_COPIES = ("cp", "mv", "copy", "move", "sync", "rsync", "copyto", "moveto", "put", "get", "upload", "mirror", "cat")
_REMOVES = ("rm", "rb", "del", "delete", "deletefile", "purge", "rmdirs", "remove", "delete-file-version")


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    scene.does("network")
    words = [word for word in arguments.operands if word[:1] != "-"]
    while words and words[0] not in _COPIES:
        if words.pop(0) in _REMOVES:
            scene.does("destroys")
    names = words[1:]
    local = [(place, word) for place, word in enumerate(names) if ":" not in word]
    last = len(names) - 1
    if any(":" in word for word in names[-1:]) and local and "cat" not in arguments.operands[:1]:
        scene.does("sends")
        scene.contents += [scene.path(word, "read", True) for _, word in local]
    return [scene.path(word, "write" if place == last and last else "read", True) for place, word in local]

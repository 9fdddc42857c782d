"""`fdisk`: changes the partitions of a device."""

from __future__ import annotations

from policy_engine.model.partial import is_known
from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    words = arguments.operands
    asks = ("-l", "--list", "--help", "--version", "-V", "-h", "-p", "--print", "-v", "-d", "--dump", "print", "-s")
    if not words or any(word in asks for word in words):
        return []
    if any(not is_known(word) for word in words):
        scene.doubt("formats", "which device is changed is not known")
    else:
        scene.does("formats")
    return [scene.path(word, "write") for word in words if word[:5] == "/dev/"]


PROGRAM = Program(
    "fdisk",
    touched=_touched,
    raw=True,
)

"""`age`: encrypts and decrypts files."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Scene

_VALUES = ("-r", "--recipient")
_READS = ("-i", "--identity", "-R", "--recipients-file")


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    paths: list[PathValue] = []
    waiting = list(reversed(arguments.operands))
    while waiting:
        word = waiting.pop()
        if word in ("-o", "--output") and waiting:
            paths.append(scene.path(waiting.pop(), "write"))
        elif word in _VALUES:
            waiting[-1:] = []
        elif word in _READS and waiting:
            paths.append(scene.path(waiting.pop(), "read"))
        elif word in ("-d", "--decrypt"):
            scene.does("decodes")
        elif word[:1] != "-":
            paths.append(scene.path(word, "read"))
    return paths

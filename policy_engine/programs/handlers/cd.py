"""`cd`: looks at the folder it goes to; the parser follows it within a line."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, Scene


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    if not arguments.operands:
        return [scene.world.resolve("~", None).with_access("read")]
    if arguments.operands[0] == "-":
        return [scene.unknown("-", "the folder before this one is not known", "read")]
    return [scene.path(arguments.operands[0], "read")]

"""`base64`: encodes, or decodes with `-d`."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, Scene


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    if arguments.has("-d", "-D", "--decode"):
        scene.does("decodes")
    reads = arguments.operands + arguments.values("--input")
    if arguments.has("-i") and arguments.operands:
        reads = arguments.operands
    paths = [scene.path(text, "read") for text in reads if text != "-"]
    return paths + [scene.path(text, "write") for text in arguments.values("-o", "--output") if text != "-"]

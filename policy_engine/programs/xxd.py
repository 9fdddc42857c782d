"""`xxd`: shows bytes, or makes them from their digits."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    if arguments.has("-r"):
        scene.does("decodes")
    paths = [scene.path(text, "read") for text in arguments.operands[:1] if text != "-"]
    return paths + [scene.path(text, "write") for text in arguments.operands[1:2] if text != "-"]


PROGRAM = Program(
    "xxd",
    short="abCeEipPrRu",
    short_values="cglnos",
    read_only=True,
    touched=_touched,
    shows_content=True,
    single_dash=False,
    tolerant=True,
    authors=True,
)

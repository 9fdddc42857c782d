"""`vim`: opens its operands, to read and to write."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    if arguments.has("-c", "-S", "-s", "-u"):
        scene.does("executes")
    files = [text for text in arguments.operands if text[:1] not in "-+"]
    paths = [scene.path(text, access) for text in files for access in ("read", "write")]
    return paths + [scene.path(text, "write") for text in arguments.values("-w", "-W")]


PROGRAM = Program(
    "vim",
    short="bdeEfghHilLmMnNrRsvVxXyZ",
    short_values="cSstTuUwWi",
    touched=_touched,
    shows_content=True,
    tolerant=True,
)

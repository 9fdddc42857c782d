"""`ddrescue`: copies its first operand to its second, and keeps a log in its third."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import FLAG, VALUE, Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    words = arguments.operands
    return [scene.path(text, "read" if place == 0 else "write") for place, text in enumerate(words[:3])]


PROGRAM = Program(
    "ddrescue",
    short="ACdDfFINnpqRStvVh",
    short_values="aBbcEHiKLlmOoPrsTwxyXZ",
    long={"force": FLAG, "idirect": FLAG, "no-scrape": FLAG, "retry-passes": VALUE, "size": VALUE},
    touched=_touched,
    tolerant=True,
)

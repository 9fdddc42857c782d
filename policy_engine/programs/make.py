"""`make`: runs a target of the makefile; a target called like publishing may do so."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    scene.does("executes")
    for word in arguments.operands:
        name, equals, value = word.partition("=")
        if any(
            part in ("publish", "release", "deploy", "upload", "push") for part in word.replace("_", "-").split("-")
        ):
            scene.doubt("publishes", f"the target `{word[:80]}` may publish")
        if equals and value.rpartition("/")[2] in ("sudo", "doas", "su"):
            scene.doubt("elevates", f"the makefile may use `{word[:80]}`")
        elif equals and name in ("SHELL", ".SHELLFLAGS"):
            scene.doubt("*", f"`{word[:80]}` chooses what runs the recipes")
    return []


PROGRAM = Program(
    "make",
    touched=_touched,
    raw=True,
)

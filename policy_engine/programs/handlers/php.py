"""`php`: runs a script or code."""

from __future__ import annotations

from policy_engine.inline.code import analyse
from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Scene


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    scene.does("executes")
    if any(scene.env.get(name) for name in ("PHPRC", "PHP_INI_SCAN_DIR")):
        scene.does("configures")
    for code in arguments.values("-r", "-B", "-R", "-E"):
        analyse(code, scene)
    if arguments.has("-r", "-B", "-R", "-E"):
        return []
    return scene.script(arguments.operands)

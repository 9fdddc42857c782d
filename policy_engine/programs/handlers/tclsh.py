"""`tclsh`: code of a language that is not read: texts in it that could start a program or name a file count."""

from __future__ import annotations

from policy_engine.inline.code import analyse
from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Scene


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    scene.does("executes")
    codes = arguments.values("-e", "-c", "--eval", "--execute", "--expression")
    for code in codes:
        analyse(code, scene)
    if codes:
        return []
    return scene.script(arguments.operands)

"""`lua`: runs a script or code."""

from __future__ import annotations

from policy_engine.model.inline_code import analyse
from policy_engine.model.partial import is_known
from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    scene.does("executes")
    if any(scene.env.get(name) for name in ("LUA_INIT", "LUA_PATH")):
        scene.does("configures")
    for code in arguments.values("-e"):
        analyse(code, scene)
    if arguments.has("-e"):
        return []
    if arguments.operands[:1] in ([], ["-"], ["/dev/stdin"]):
        scene.does("executes-input")
        return []
    if not is_known(arguments.operands[0]):
        scene.does("executes-input")
    return [scene.run(arguments.operands[0])]


PROGRAM = Program(
    "lua",
    short="iEvW",
    short_values="el",
    touched=_touched,
    stops=True,
    informs=("-v",),
    authors=True,
)

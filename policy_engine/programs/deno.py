"""`deno`: runs scripts, also straight from the network."""

from __future__ import annotations

from policy_engine.model.inline_code import analyse
from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    scene.does("executes")
    if any(scene.env.get(name) for name in ("DENO_DIR")):
        scene.does("configures")
    for code in arguments.values("--eval"):
        analyse(code, scene)
    if any("://" in word for word in arguments.operands):
        scene.does("network", "executes-remote")
    if arguments.operands[:1] == ["publish"] and "--dry-run" not in arguments.operands:
        scene.does("publishes")
    if arguments.operands[:1] == ["eval"]:
        for text in arguments.operands[1:]:
            analyse(text, scene)
    if arguments.operands:
        return []
    if arguments.has("--eval"):
        return []
    if arguments.operands[:1] in ([], ["-"], ["/dev/stdin"]):
        scene.does("executes-input")
        return []
    return [scene.run(arguments.operands[0])]


PROGRAM = Program(
    "deno",
    touched=_touched,
    raw=True,
)

"""`git commit`: whether it leaves out the hooks; `-n` is `--no-verify` here, but not as the value of `-m`."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Scene


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    if arguments.on(("-n", "--no-verify"), ("--verify",)):
        scene.does("skips-hooks")
    paths = [scene.path(".", "write")]
    for text in arguments.values("-F", "--file", "-t", "--template", "--pathspec-from-file"):
        if text != "-":
            paths.append(scene.path(text, "read"))
    return paths

"""`git send-pack` and its kin: `git push` without porcelain."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, Scene


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    scene.does("network")
    if arguments.has("--receive-pack", "--exec"):
        scene.does("executes")
    if arguments.has("--dry-run", "-n"):
        return []
    forced = arguments.has("-f", "--force", "-d", "-D")
    if arguments.has("--mirror") or (forced and arguments.has("--all")):
        scene.rewrites("*")
    if arguments.has("--stdin"):
        scene.may_rewrite("which branches are forced is read from the input")
    for spec in arguments.operands[1:]:
        source, colon, target = spec.removeprefix("+").partition(":")
        if forced or spec[:1] == "+" or (colon and not source):
            scene.rewrites((target if colon else source).removeprefix("refs/heads/"))
    return []

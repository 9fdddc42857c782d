"""`git subtree`: joins and splits off folders of other repositories."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, Scene


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    words = arguments.operands
    if "push" in words:
        scene.does("network")
        for word in words:
            if word in ("-f", "--force"):
                scene.may_rewrite("which branch is forced is not known")
            elif word[:1] == "+":
                scene.rewrites(word.rpartition(":")[2].lstrip("+").removeprefix("refs/heads/"))
    return [] if "push" in words else [scene.path(".", "write", True)]

"""`black` and other tools that rewrite source files in place."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Scene

_ALWAYS = ("black", "isort", "yapf", "autopep8", "rustfmt")
_WRITES = ("-w", "-i", "--write", "--fix", "--in-place", "--inplace", "-l=false", "format", "--apply", "-d=false")
_CHECKS = ("--check", "--diff", "--check-only", "--stdout", "--dry-run", "-d")


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    words = arguments.operands
    if any(word in _CHECKS for word in words) or not (scene.name in _ALWAYS or any(word in _WRITES for word in words)):
        return []
    return [
        scene.path(text, "write", True) for text in words if text[:1] != "-" and text not in ("format", "check", "lint")
    ]

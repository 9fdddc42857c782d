"""`black` and other tools that rewrite source files in place."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis

_ALWAYS = ("black", "isort", "yapf", "autopep8", "rustfmt")
_WRITES = ("-w", "-i", "--write", "--fix", "--in-place", "--inplace", "-l=false", "format", "--apply", "-d=false")
_CHECKS = ("--check", "--diff", "--check-only", "--stdout", "--dry-run", "-d")


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = arguments.operands
    if any(word in _CHECKS for word in words) or not (
        analysis.name in _ALWAYS or any(word in _WRITES for word in words)
    ):
        quiet = analysis.name in ("biome", "ruff", "eslint") or any(
            word in _CHECKS for word in words
        )  # prints no files
        analysis.looks = quiet and all(word[:1] != "-" or word in _CHECKS for word in words)
        return []
    paths: list[PathValue] = []
    for text in words:
        if text[:1] == "-" or text in ("format", "check", "lint"):
            continue
        place = analysis.path(text, "write")
        if place.known and analysis.filesystem.relative(place) == "":  # hidden folders are left out
            names = [name for name in analysis.filesystem.names(place) if name[:1] != "."]
            paths += [place, *(analysis.path(f"{text.rstrip('/')}/{name}", "write", True, False) for name in names)]
        else:
            paths.append(place.with_access("write", True))
    return paths

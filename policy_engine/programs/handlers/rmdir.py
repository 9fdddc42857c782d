"""`rmdir`: removes its operands if they are empty folders; with `-p` the folders above them too."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    paths: list[PathValue] = []
    for text in arguments.operands:
        paths.append(analysis.path(text, "delete", follow=False))
        rest = text.rstrip("/").rpartition("/")[0] if arguments.has("-p", "--parents") else ""
        while rest:
            paths.append(analysis.path(rest, "delete", follow=False))
            rest = rest.rstrip("/").rpartition("/")[0]
    return paths

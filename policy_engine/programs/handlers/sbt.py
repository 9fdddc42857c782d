"""`sbt`: builds Scala; commands called like publishing do so, but for the local repository."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    analysis.does("executes")
    for word in arguments.operands:
        for command in word.replace(";", " ").split():
            task = command.rpartition("/")[2].lstrip("+").lower()
            if "local" in task or task.endswith("m2"):
                continue
            if task.startswith(("publish", "sonatype")) or task in ("release", "ci-release"):
                analysis.does("publishes", "network")
    return []

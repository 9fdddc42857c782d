"""`gradle`: runs tasks; those called like publishing do so, but for the local repository."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known
from policy_engine.programs.base import Arguments, EffectAnalysis

_TASKS = (
    "uploadarchives",
    "closeandrelease",
    "releasestaging",
    "bintrayupload",
    "artifactorypublish",
    "jib",
    "release",
)


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    analysis.does("executes")
    words = arguments.operands
    if any(word in ("-m", "--dry-run", "--help", "-h") for word in words):
        return []
    for place, word in enumerate(words):
        if place and words[place - 1] in ("-x", "--exclude-task", "-p", "--project-dir", "-b"):
            continue
        task = word.rpartition(":")[2].lower()
        if word[:1] == "-" or "local" in task or task in ("jibdockerbuild", "jibbuildtar", "publications"):
            continue
        if not is_known(word):
            analysis.doubt("publishes", "which task is meant is not known")
        elif task.startswith(("publish", "closeandrelease")) or task in _TASKS:
            analysis.does("publishes", "network")
    return []

"""`mvn`: builds; the goals of some of its plugins publish."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known
from policy_engine.programs.base import Arguments, EffectAnalysis

_GOALS = ("deploy", "perform", "deploy-file", "deploy-staged", "release", "stage", "publish", "push")
_OFF = ("-DdryRun=true", "-DdryRun", "-Dmaven.deploy.skip=true", "-Dmaven.deploy.skip", "-DskipDeploy")


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    analysis.does("executes")
    words = arguments.operands
    if any(word in _OFF for word in words):
        return []
    for word in words:
        plugin, colon, goal = word.rpartition(":")
        if word[:1] == "-" or not is_known(word):
            continue
        if word == "deploy" or (colon and goal in _GOALS) or (plugin.endswith("jib") and goal == "build"):
            analysis.does("publishes", "network")
    if any(not is_known(word) for word in words):
        analysis.doubt("publishes", "which goals are meant is not known")
    return []

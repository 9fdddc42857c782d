"""`skopeo`: copies images between registries and folders."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = [word for word in arguments.operands if word[:1] != "-"]
    analysis.does("network")
    remote = words[-1].startswith("docker://") or ":" not in words[-1] if words else False
    if words[:1] == ["delete"] or (words[:1] in (["copy"], ["sync"]) and remote):
        analysis.does("publishes")
    elif words and not is_known(words[-1]):
        analysis.doubt("publishes", "where the image goes is not known")
    return []

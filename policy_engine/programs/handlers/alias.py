"""`alias`: gives words of the shell another meaning for later commands."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    if analysis.name == "alias" and all(is_known(word) and "=" in word[1:] for word in arguments.operands):
        return []  # the walker puts the text in the place of the name
    if any("=" in word or word in ("-n", "-p", "-s", "-d") or not is_known(word) for word in arguments.operands):
        analysis.does("configures")
        reason = f"what later commands do after `{analysis.name}` is not known"
        analysis.doubt("*", reason)
        return [analysis.may_touch(analysis.name, reason, access, True) for access in ("read", "write", "delete")]
    return []

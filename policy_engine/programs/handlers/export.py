"""`export`: gives variables to later commands, or prints all of them."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis
from policy_engine.programs.variables import starts_code

_SWITCHES = ("HUSKY=0", "LEFTHOOK=0", "LEFTHOOK=false", "HUSKY_SKIP_HOOKS=1", "OVERCOMMIT_DISABLE=1",
             "SKIP_SIMPLE_GIT_HOOKS=1", "PRE_COMMIT_ALLOW_NO_CONFIG=1")  # fmt: skip


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    names = [word for word in arguments.operands if word[:1] != "-"]
    if not names and "-f" not in arguments.operands:
        analysis.does("discloses")
    if any(starts_code(name, analysis) for name in names):
        analysis.does("configures")
    else:
        analysis.complete = bool(names)
    if any(name.startswith(_SWITCHES) for name in names):
        analysis.does("skips-hooks")
    if any(name.startswith("POLICY_") for name in names):
        analysis.does("controls-engine")
    return []

"""`git pull`: fetches and joins branches; `--no-verify` leaves out the hooks of the merge."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = arguments.operands
    yes = [place for place, word in enumerate(words) if word in ("--no-verify", "--no-verif", "--no-veri")]
    no = [place for place, word in enumerate(words) if word == "--verify"]
    if yes and (not no or yes[-1] > no[-1]):
        analysis.does("skips-hooks")
    if any(not is_known(word) for word in words):
        analysis.doubt("*", "the words are not known")
    return [analysis.path(".", "write")]

"""`git send-pack` and its kin: `git push` without porcelain."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis
from policy_engine.programs.git_addresses import tell_command


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    analysis.does("network")
    for word in arguments.operands[:1]:
        tell_command(word, analysis, "receive-pack")
    for value in arguments.values("--receive-pack", "--exec"):
        analysis.shell(value)
    if arguments.has("--dry-run", "-n"):
        return []
    forced = arguments.has("-f", "--force", "-d", "-D")
    if arguments.has("--mirror") or (forced and arguments.has("--all")):
        analysis.rewrites("*")
    if arguments.has("--stdin"):
        analysis.may_rewrite("which branches are forced is read from the input")
    for spec in arguments.operands[1:]:
        source, colon, target = spec.removeprefix("+").partition(":")
        if forced or spec[:1] == "+" or (colon and not source):
            analysis.rewrites((target if colon else source).removeprefix("refs/heads/"))
    return []

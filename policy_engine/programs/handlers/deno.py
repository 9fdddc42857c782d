"""`deno`: runs scripts, also straight from the network."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.inline.code import analyse
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    analysis.does("executes")
    if analysis.env.get("DENO_DIR"):
        analysis.does("configures")
    words = [word for word in arguments.operands if word[:1] != "-" or word == "-"]
    verb = words[0] if words else ""
    if any("://" in word or word.startswith(("npm:", "jsr:")) for word in words[:2]):
        analysis.does("network", "executes-remote")
    if verb == "publish" and "--dry-run" not in arguments.operands:
        analysis.does("publishes")
    elif verb in ("eval", "repl") or "--eval" in arguments.operands:
        for text in arguments.operands:
            if text not in ("eval", "repl") and text[:1] != "-":
                analyse(text, analysis)
    elif not words or words[1:2] in (["-"], ["/dev/stdin"]) or verb == "-":
        analysis.does("executes-input")
    elif verb == "run" and len(words) > 1 and "://" not in words[1] and ":" not in words[1]:
        return [analysis.run(words[1])]
    return []

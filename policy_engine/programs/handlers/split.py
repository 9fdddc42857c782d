"""`split`: cuts a file into pieces that begin with its prefix."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    names: list[str] = []
    prefix = "x"
    waiting = list(reversed(arguments.operands))
    while waiting:
        word = waiting.pop()
        if word == "-f" and analysis.name == "csplit":
            prefix = waiting.pop() if waiting else prefix
        elif word in ("-a", "-b", "-C", "-l", "-n", "-t", "-f"):
            waiting[-1:] = []
        elif word.startswith("--fi") and analysis.name == "split":
            analysis.shell(word.partition("=")[2] if "=" in word else "".join(waiting[-1:]))
        elif word[:1] != "-" or word == "-":
            names.append(word)
    prefix = names[1] if analysis.name == "split" and len(names) > 1 else prefix
    return [analysis.path(text, "read") for text in names[:1] if text != "-"] + [analysis.path(f"{prefix}aa", "write")]

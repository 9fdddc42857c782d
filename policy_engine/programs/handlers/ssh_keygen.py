"""`ssh_keygen`: makes keys, or prints what belongs to one."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = arguments.operands
    files = [words[place + 1] for place, word in enumerate(words[:-1]) if word == "-f"]
    if any(word[:1] == "-" and word[1:2] != "-" and "l" in word for word in words):
        analysis.complete = True  # a fingerprint
        last = ("-f", "-lf", "-lvf", "-vlf")
        return [analysis.path(words[place + 1], "read") for place, word in enumerate(words[:-1]) if word in last]
    if any(word in words for word in ("-y", "-e", "-p", "-c")):
        return [analysis.path(text, "read") for text in files]
    return [analysis.path(name, "write") for text in files for name in (text, f"{text}.pub")]

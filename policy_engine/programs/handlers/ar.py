"""`ar`: keeps files in an archive, and takes them out; its first word says which."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = [word for word in arguments.operands if word[:2] != "--"]
    names = [word for word in words[1:] if word[:1] != "-"]
    letters = "".join(words[:1]).lstrip("-")
    if "x" in letters:
        places = [word.partition("=")[2] for word in arguments.operands if word.startswith("--output=")]
        return [analysis.path(text, "read") for text in names[:1]] + analysis.unpacks("archive", "".join(places[:1]))
    changes = any(letter in letters for letter in "rqdmsc")
    paths = [analysis.path(text, "write" if changes else "read") for text in names[:1]]
    return paths + [analysis.path(text, "read") for text in names[1:] if changes]

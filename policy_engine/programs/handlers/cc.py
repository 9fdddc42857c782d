"""`cc`: compiles: reads its sources and writes what `-o` names."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.quoting import quote_words
from policy_engine.programs.base import Arguments, EffectAnalysis

_WRITES = ("-o", "-MF", "-dumpdir", "-dumpbase", "--out-dir", "-serialize-diagnostics", "--serialize-diagnostics",
           "-index-store-path", "-emit-module-path", "-module-cache-path", "-header-dir")  # fmt: skip
_GLUED = ("-o", "-MF")


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    paths: list[PathValue] = []
    words = arguments.operands
    for place, word in enumerate(words):
        if word == "-wrapper" and place + 1 < len(words):
            analysis.shell(quote_words(words[place + 1].split(",")))
        if word in _WRITES and place + 1 < len(words):
            paths.append(analysis.path(words[place + 1], "write"))
        elif word.startswith(_GLUED) and word not in _GLUED:
            paths.append(analysis.path(word[3:] if word[:3] == "-MF" else word[2:], "write"))
        elif word[:2] in ("-I", "-L") and len(word) > 2:
            paths.append(analysis.path(word[2:], "read"))
        elif word[:1] != "-" and not (place and words[place - 1] in _WRITES):
            paths.append(analysis.path(word, "read"))
    return paths

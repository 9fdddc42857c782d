"""`duckdb`: reads and writes a database file, and any file that a statement names."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis
from policy_engine.programs.sql import files_named

_STATEMENTS, _SCRIPTS = ("-c", "-cmd", "-s"), ("-f", "-init")
_OTHER_VALUES = ("-separator", "-newline", "-nullvalue")
_READING, _WRITING, _STARTING = (".read", ".import", ".open"), (".output", ".once"), (".shell", ".system")


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    operands: list[str] = []
    texts: list[str] = []
    paths: list[PathValue] = []
    waiting = list(reversed(arguments.operands))
    while waiting:
        word = waiting.pop()
        option = word[1:] if word[:2] == "--" else word
        if option in (*_STATEMENTS, *_SCRIPTS, *_OTHER_VALUES) and waiting:
            value = waiting.pop()
            texts += [value] if option in _STATEMENTS else []
            paths += [analysis.run(value)] if option in _SCRIPTS else []
        elif word[:1] != "-":
            operands.append(word)
    access = ("read",) if "-readonly" in arguments.operands else ("read", "write")
    paths += [analysis.path(text, way) for text in operands[:1] if text not in ("", ":memory:") for way in access]
    texts += operands[1:]
    if not texts and not paths:
        analysis.doubt("executes-input", "it reads statements from its standard input")
    for text in texts:
        paths += [analysis.path(name, way) for name, way in files_named(text)]
        for line in text.split("\n"):
            paths += _dot(line.strip(), analysis)
    return paths


def _dot(line: str, analysis: EffectAnalysis) -> list[PathValue]:
    """One of the commands of its shell."""
    word, _, rest = line.partition(" ")
    if word in _STARTING:
        analysis.shell(rest)
    elif rest.strip() and word in (*_READING, *_WRITING):
        return [
            analysis.path(
                rest.split()[-1 if word in _WRITING else 0].strip("'\""), "write" if word in _WRITING else "read"
            )
        ]
    return []

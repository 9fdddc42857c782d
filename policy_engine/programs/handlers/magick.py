"""`magick`, `convert`, `mogrify`: read images and write the last operand, or all in place."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis

_READ = ("identify", "compare", "display")
_WRITTEN = ("-write", "-path")


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = list(arguments.operands)
    verb = words.pop(0) if analysis.name == "magick" and words[:1] and words[0].isalpha() else analysis.name
    paths = [
        analysis.path(_file(words[place + 1]), "write") for place, word in enumerate(words[:-1]) if word in _WRITTEN
    ]
    names = [_file(word) for word in words if word[:1] not in ("-", "+") or word == "-"]
    written = names if verb == "mogrify" else [] if verb in _READ else names[-1:]
    paths += [analysis.path(name, "read") for name in names if name not in written]
    return paths + [analysis.path(name, "write") for name in written if name not in ("-", "info:")]


def _file(word: str) -> str:
    """The file that a word names: behind the format, before the frame (`png:a.png[0]`, `@list.txt`)."""
    form, mark, name = word.partition(":")
    return (name if mark and len(form) > 1 and form.isalnum() and name else word).removeprefix("@").partition("[")[0]

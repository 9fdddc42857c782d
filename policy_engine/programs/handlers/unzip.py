"""`unzip`: unpacks an archive below `-d`, or here."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = arguments.operands
    glued = next((word[2:] for word in words if word[:2] == "-d" and len(word) > 2), "")
    names = [word for place, word in enumerate(words) if word[:1] != "-" and words[place - 1 : place] != ["-d"]]
    paths = [analysis.path(text, "read") for text in names[:1]]
    letters = "".join(word[1:] for word in words if word[:1] == "-")
    if "p" in letters and not glued:
        analysis.does("decodes")
    if ("p" in letters or "c" in letters) and not glued:
        analysis.contents += [analysis.path(text, "read") for text in names[1:]]  # members, by the names that they had
    if not glued and any(letter in letters for letter in "lptvzZc"):
        return paths
    folder = glued or next((words[place + 1] for place, word in enumerate(words[:-1]) if word == "-d"), "")
    return paths + analysis.unpacks("archive", folder)

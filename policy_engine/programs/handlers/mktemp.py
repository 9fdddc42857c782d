"""`mktemp`: makes a file or folder of a new name: in the folder for such files, unless a template says where."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = arguments.operands
    folders = [word.partition("=")[2] for word in words if word.startswith("--tmpdir=")]
    if folders:
        return [analysis.path(text, "write") for text in folders]
    if "-t" in words or "--tmpdir" in words or "-u" in words:
        return []
    folder = next((words[place + 1] for place, word in enumerate(words[:-1]) if word == "-p"), "")
    templates = [word for word in words if "XXX" in word]
    return [analysis.path(f"{folder}/{text}" if folder else text, "write") for text in templates or [folder] if text]

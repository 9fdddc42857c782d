"""`mktemp`: makes a file or folder of a new name: in the folder for such files, unless a template says where."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import may_be_option
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    folder = arguments.last("-p", "--tmpdir") or ""
    if arguments.has("-u", "--dry-run") or (not folder and arguments.has("-t", "--tmpdir")):
        return []
    templates = [word for word in arguments.operands if "XXX" in word or may_be_option(word)]
    return [analysis.path(f"{folder}/{text}" if folder else text, "write") for text in templates or [folder] if text]

"""`setfacl`, `chattr`, `xattr`: change what is kept beside the content of files."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    recursive = bool({"-R", "--recursive", "-r"} & set(arguments.operands))
    return [analysis.path(text, "write", recursive) for text in arguments.operands if text[:1] not in "-+="]

"""`setfacl`, `chattr`, `xattr`: change what is kept beside the content of files."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, Scene


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    deep = bool({"-R", "--recursive", "-r"} & set(arguments.operands))
    return [scene.path(text, "write", deep) for text in arguments.operands if text[:1] not in "-+="]

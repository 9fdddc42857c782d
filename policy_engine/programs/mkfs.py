"""`mkfs`: makes a file system on a device."""

from __future__ import annotations

from policy_engine.model.partial import is_known
from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    if arguments.operands in (["--help"], ["--version"], ["-V"], ["-h"], []):
        return []
    targets = [word for word in arguments.operands if word[:1] == "/" or not is_known(word)]
    dry = "-n" in arguments.operands and not scene.name.endswith("ntfs")
    paths = [scene.path(word, "read" if dry else "write") for word in targets]
    images = [word for word in arguments.operands if word[:1] != "-" and word[:5] != "/dev/" and is_known(word)]
    if dry or any(not path.known for path in paths):
        scene.doubt("formats", f"which device `{scene.name}` formats is not known, or it is a trial")
    elif targets or not images:
        scene.does("formats")
    return paths + [scene.path(word, "write") for word in images[-1:] if not targets]


PROGRAM = Program(
    "mkfs",
    touched=_touched,
    raw=True,
)

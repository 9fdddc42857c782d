"""`apt`: installs and removes programs of the machine; the package managers of other systems share it."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Scene

_CHANGES = ("install", "remove", "purge", "upgrade", "dist-upgrade", "full-upgrade", "autoremove", "reinstall",
            "uninstall", "add", "del", "-S", "-R", "-Sy", "-Syu", "-i", "-r", "update", "link", "tap", "erase",
            "localinstall", "refresh")  # fmt: skip


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    if scene.name == "dpkg" and {"-x", "-X", "--extract", "--vextract"} & set(arguments.operands):
        return scene.unpacks(scene.name, arguments.operands[-1])
    if not any(word in _CHANGES for word in arguments.operands):
        return []
    scene.does("network", "executes")
    return [scene.unknown(scene.name, f"where `{scene.name}` puts programs is not known", "write")]

"""`usermod`: changes accounts; `adduser`, `gpasswd` and their kin share it."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known
from policy_engine.programs.base import Arguments, Scene

_STRONG = ("sudo", "wheel", "docker", "root", "admin", "adm", "lxd", "disk", "libvirt", "podman", "kvm")


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    words = [part for word in arguments.operands for part in word.replace("=", ",").split(",")]
    scene.does("configures")
    if any(word in _STRONG for word in words) or not all(map(is_known, words)):
        scene.doubt("elevates", "the user may get the rights of another group")
    return [scene.path("/etc/passwd", "write")]

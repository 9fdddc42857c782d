"""`usermod`: changes accounts; `adduser`, `gpasswd` and their kin share it."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known
from policy_engine.programs.base import Arguments, EffectAnalysis

_STRONG = ("sudo", "wheel", "docker", "root", "admin", "adm", "lxd", "disk", "libvirt", "podman", "kvm")


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = [part for word in arguments.operands for part in word.replace("=", ",").split(",")]
    analysis.does("configures")
    if any(word in _STRONG for word in words) or not all(map(is_known, words)):
        analysis.doubt("elevates", "the user may get the rights of another group")
    return [analysis.path("/etc/passwd", "write")]

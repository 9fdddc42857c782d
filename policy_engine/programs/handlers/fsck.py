"""`fsck`: checks and repairs the file system on a device; tools that change one in place share it."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known
from policy_engine.programs.base import Arguments, EffectAnalysis

_LOOKS = {
    "tune2fs": ("-l", "--help"), "dumpe2fs": ("",), "resize2fs": ("-P", "-h"), "xfs_repair": ("-n",),
    "debugfs": (), "ntfsresize": ("-n", "-i", "--info"),
}  # fmt: skip


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = arguments.operands
    devices = [word for word in words if word[:1] in "/." or not is_known(word)]
    devices = devices or [word for word in words if word[:1] != "-"][-1:]
    letters = "".join(word[1:] for word in words if word[:1] == "-" and word[:2] != "--")
    if analysis.name == "debugfs":
        looks = "w" not in letters
    elif analysis.name in _LOOKS:
        looks = any(word in _LOOKS[analysis.name] for word in words)
    else:
        looks = "n" in letters or "N" in letters or not devices
    return [analysis.path(word, "read" if looks else "write") for word in devices]

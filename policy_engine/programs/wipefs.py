"""`wipefs`: erases what is on devices: file systems, volumes, pools, whole machines; its kin share it."""

from __future__ import annotations

from policy_engine.model.partial import is_known
from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Program, Scene

_ASKS = ("--help", "-h", "--version", "-V", "-l", "--list", "status", "list", "show", "info", "-n", "--no-act")
_VERBS = {
    "cryptsetup": ("luksFormat", "erase", "luksErase", "reencrypt", "format"),
    "zpool": ("destroy", "create", "labelclear"),
    "zfs": ("destroy",),
    "mdadm": ("--zero-superblock", "--create", "-C"),
    "badblocks": ("-w", "-n"),
    "hdparm": ("--security-erase", "--security-erase-enhanced", "--trim-sector-ranges"),
    "nvme": ("format", "sanitize"),
    "diskutil": ("eraseDisk", "eraseVolume", "partitionDisk", "zeroDisk", "secureErase", "reformat", "apfs"),
    "btrfs": ("device",),
}


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    words = arguments.operands
    if any(word in ("--test", "-t") for word in words) and scene.name.startswith(("lv", "vg", "pv")):
        scene.doubt("formats", "it is a trial, on a volume")
        return []
    verbs = _VERBS.get(scene.name)
    if verbs is not None:
        if any(word in verbs for word in words):
            scene.does("formats")
        elif not all(map(is_known, words)):
            scene.doubt("formats", "its words are not known")
    elif words and not any(word in _ASKS for word in words):
        scene.does("formats")
    return []


PROGRAM = Program(
    "wipefs",
    touched=_touched,
    raw=True,
)

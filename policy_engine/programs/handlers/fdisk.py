"""`fdisk`: changes the partitions of a device; `sfdisk`, `sgdisk` and their kin share it."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis

_LISTS = ("-l", "--list", "--list-details", "-x", "-s", "--getsz", "-v", "-V", "--version", "-h", "--help")
_LOOKS = {
    "sfdisk": ("-d", "--dump", "-J", "--json", "--show-size", "-T", "--list-types", "--verify", "-F", "--list-free",
               "-n", "--no-act", "-g", "--show-geometry", *_LISTS),
    "sgdisk": ("-p", "--print", "-i", "--info", "-v", "--verify", "-L", "--list-types", "-O", "--print-mbr", "-b",
               "--backup", "-E", "-f", "-F", "-D", "-V", "--version", "-?", "--help"),
}  # fmt: skip


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = arguments.operands
    options = [word.partition("=")[0] for word in words if word[:1] == "-"]
    devices = [word for word in words if word[:5] == "/dev/"]
    devices = devices or [word for word in words if word[:1] != "-" and not word.isdigit()][-1:]
    looks = [option for option in options if option in _LOOKS.get(analysis.name, _LISTS)]
    if analysis.name == "sgdisk":  # each of its options acts by itself
        only_looks = len(looks) == len(options) > 0 or "-P" in options or "--pretend" in options
    else:
        only_looks = bool(looks)
    return [analysis.path(word, "read") for word in devices] if only_looks else analysis.formats(devices)

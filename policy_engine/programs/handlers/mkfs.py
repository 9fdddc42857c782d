"""`mkfs`: makes a file system on a device, or in an image file."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known
from policy_engine.programs.base import Arguments, EffectAnalysis

_TRIAL = ("mkfs", "mke2fs", "mkntfs", "mkfs.ext2", "mkfs.ext3", "mkfs.ext4", "mkfs.ntfs")  # elsewhere `-n` is a name
_NO_TARGET = ("-d", "-L", "-U", "-t", "-T", "-E", "-O", "-n", "-b", "-F", "-s", "-S")


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = arguments.operands
    if words in (["--help"], ["--version"], ["-V"], ["-h"], []):
        return []
    plain = [
        word
        for place, word in enumerate(words)
        if word[:1] != "-" and not (place and words[place - 1] == "-d" and word[:5] != "/dev/")
    ]
    targets = [word for word in plain if word[:1] == "/" or not is_known(word)]
    if not targets:  # a size may follow the image
        named = [word for place, word in enumerate(words) if word in plain and words[place - 1] not in _NO_TARGET]
        targets = [word for word in named or plain[-1:] if not word.isdigit()][-1:]
    trial = "-n" in words and analysis.name in _TRIAL
    if trial:
        analysis.doubt("formats", f"`{analysis.name} -n` is a trial, on a device")
        return [analysis.path(word, "read") for word in targets]
    return analysis.formats(targets)

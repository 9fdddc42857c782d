"""`parted`: changes the partitions of a device, with commands after its name."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis

_SHOWS = ("print", "p", "unit", "align-check", "help", "version", "quit", "select")
_ENDS = ("-l", "--list", "-h", "--help", "-v", "--version")


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = arguments.operands
    if any(word in _ENDS for word in words):
        return []
    plain = [word for word in words if word[:1] != "-"]
    if plain and words[:1] in (["-a"], ["--align"]):
        plain.pop(0)
    device, commands = plain[:1], plain[1:]
    if commands and commands[0] in _SHOWS and not any(word in _CHANGES for word in commands):
        return [analysis.path(word, "read") for word in device]
    return analysis.formats(device)


_CHANGES = ("mklabel", "mktable", "mkpart", "rm", "resizepart", "rescue", "name", "set", "toggle", "disk_set", "type")

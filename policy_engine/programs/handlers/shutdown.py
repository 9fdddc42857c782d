"""`shutdown`: brings the machine down; `reboot`, `init 0` and their kin share it."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis

_ASKS = ("--help", "-h", "--version", "-c", "--show", "-w", "--wtmp-only", "-k")
_CALLS = ("Reboot", "PowerOff", "Halt", "KExec", "SoftReboot", "Suspend", "Hibernate")  # of the manager of logins


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = arguments.operands
    if analysis.name in ("dbus-send", "busctl", "gdbus", "qdbus"):
        if any(word.rpartition(".")[2] in _CALLS for word in words):
            analysis.does("formats", "kills")
        return []
    if analysis.name in ("init", "telinit"):
        if any(word in ("0", "1", "6", "s", "S") for word in words):
            analysis.does("formats", "kills")
        return []
    asks = [
        word for word in words if word in _ASKS and not (word == "-h" and analysis.name == "shutdown" and words[1:])
    ]
    if not asks:
        analysis.does("formats", "kills")
    return []

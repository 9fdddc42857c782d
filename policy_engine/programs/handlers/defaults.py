"""`defaults`, `gsettings`, `launchctl` and others that change settings of the system or the session."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis

_ASKS = frozenset(
    (
        "read get list print domains find monitor blame dumpstate help status -l list-keys list-schemas "
        "list-recursively describe range writable show getenv display"
    ).split()
)
_STOPS = ("unload", "bootout", "stop", "kill", "remove", "disable", "restart")


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = arguments.operands
    if words[:1] == ["getenv"] and any(
        part in "".join(words[1:]).upper() for part in ("TOKEN", "SECRET", "KEY", "PASS")
    ):
        analysis.does("discloses")
    if analysis.name == "plutil":
        return _property_list(arguments, analysis)
    if not words or words[0] in _ASKS or (analysis.name == "service" and words[-1:] == ["status"]):
        return []
    analysis.does("configures")
    if any(word in _STOPS for word in words):
        analysis.does("kills")
    return [analysis.unknown(analysis.name, f"where `{analysis.name}` keeps what it changes is not known", "write")]


def _property_list(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    """`plutil`: changes its files in their places, unless it is told to print, to check, or where to write."""
    if "-o" in arguments.operands:
        place = arguments.operands.index("-o") + 1
        return [analysis.path(word, "write") for word in arguments.operands[place : place + 1] if word != "-"]
    looks = {"-p", "-lint", "-help", "-type"} & set(arguments.operands)
    files = [word for word in arguments.operands if word[:1] != "-"]
    return [analysis.path(word, "read" if looks else "write") for word in files]

"""`defaults`, `gsettings`, `launchctl` and others that change settings of the system or the session."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, Scene

_ASKS = frozenset(
    (
        "read get list print domains find monitor blame dumpstate help status -l list-keys list-schemas "
        "list-recursively describe range writable show getenv display"
    ).split()
)
_STOPS = ("unload", "bootout", "stop", "kill", "remove", "disable", "restart")


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    words = arguments.operands
    if words[:1] == ["getenv"] and any(
        part in "".join(words[1:]).upper() for part in ("TOKEN", "SECRET", "KEY", "PASS")
    ):
        scene.does("discloses")
    if not words or words[0] in _ASKS or (scene.name == "service" and words[-1:] == ["status"]):
        return []
    scene.does("configures")
    if any(word in _STOPS for word in words):
        scene.does("kills")
    return [scene.unknown(scene.name, f"where `{scene.name}` keeps what it changes is not known", "write")]

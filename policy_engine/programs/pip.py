"""`pip`: installs and removes Python packages."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    words = [word for word in arguments.operands if word not in ("pip", "tool")]
    verb = next((word for word in words if word[:1] != "-"), "")
    if verb in ("install", "download", "wheel", "add", "sync", "run"):
        scene.does("network", "executes")
        if any("://" in word and not word.startswith(("-i", "--index", "--extra", "http")) for word in words):
            scene.does("executes-remote")
    if verb in ("install", "uninstall", "remove") and any("policy_engine" in word.replace("-", "_") for word in words):
        scene.does("controls-engine")
    paths: list[PathValue] = []
    for place, word in enumerate(words):
        follows = words[place + 1] if place + 1 < len(words) else ""
        if word in ("-t", "--target", "--prefix", "--root", "-d", "--dest", "-w", "--wheel-dir", "--src"):
            paths.append(scene.path(follows, "write", True))
        elif word in ("--user", "--break-system-packages") and verb == "install":
            paths.append(scene.unknown("site", "where packages of the user are kept is not known", "write"))
    if verb == "config" and not any(word in ("list", "get", "debug") for word in words):
        scene.does("configures")
    return paths


PROGRAM = Program(
    "pip",
    touched=_touched,
    raw=True,
)

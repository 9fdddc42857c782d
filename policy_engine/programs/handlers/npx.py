"""`npx`: runs a package, fetched from the registry or a URL if it is not there."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Scene, play_package


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    words = arguments.operands
    scene.does("network", "executes")
    if any("://" in word or word.startswith(("git+", "github:")) for word in words):
        scene.does("executes-remote")
    if any("@" in word[1:] for word in words if word[:1] != "-") or "-y" in words or "--yes" in words:
        scene.doubt("executes-remote", "a package is fetched from the registry and run")
    for place, word in enumerate(words[:-1]):
        if word in ("-c", "--call"):
            scene.shell(words[place + 1])
    start = 0
    while start < len(words) and words[start][:1] == "-":
        start += 2 if words[start] in ("-p", "--package", "-c", "--call", "--registry") else 1
    return play_package(words[start:], scene)

"""`ssh`: logs in elsewhere, and runs what follows there."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Scene


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    scene.does("network")
    for value in arguments.values("-o"):
        name = value.partition("=")[0].strip().lower()
        if name in ("proxycommand", "localcommand", "permitlocalcommand", "knownhostscommand"):
            scene.shell(value.partition("=")[2])
    return [scene.path(text, "write") for text in arguments.values("-E")]

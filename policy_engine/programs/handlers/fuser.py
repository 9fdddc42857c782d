"""`fuser`: lists the processes that use a file or socket; with `-k` it ends them."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Scene


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    options = [word for word in arguments.operands if word[:1] == "-"]
    # a signal is written like an option, in capitals; it kills only beside `-k`
    if any(word == "--kill" or (word[1:2] != "-" and "k" in word) for word in options):
        scene.does("kills")
    return []

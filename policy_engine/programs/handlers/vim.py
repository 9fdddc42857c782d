"""`vim`: opens its operands, to read and to write."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.model.undecided import Undecided
from policy_engine.programs.base import Arguments, Scene


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    if arguments.has("-c", "-S", "-u", "--cmd", "--eval", "--execute", "--script", "--load"):
        scene.does("executes")
    if scene.name == "emacs" and arguments.has("--eval", "--execute", "--load", "--script"):
        raise Undecided("what Lisp does is not read")
    for line in arguments.values("-c"):
        command = line.lstrip(":%0123456789,$ ")
        if command[:1] == "!":
            scene.shell(command[1:])
        elif command.startswith(("w", "sav", "r")) and " " in command:
            target = command.partition(" ")[2].strip()
            target = f"{scene.world.home}{target[1:]}" if target[:2] == "~/" else target
            return [scene.path(target, "read" if command[0] == "r" else "write")] + [
                scene.path(text, "read") for text in arguments.operands if text[:1] not in "-+"
            ]
    files = [text for text in arguments.operands if text[:1] not in "-+"]
    paths = [scene.path(text, access) for text in files for access in ("read", "write")]
    return paths + [scene.path(text, "write") for text in arguments.values("-w", "-W")]

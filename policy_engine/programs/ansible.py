"""`ansible`, `ansible-playbook`: run tasks on machines, as another user with `--become`."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Program, Scene

_BECOME = ("-b", "--become", "-K", "--ask-become-pass", "--become-user", "--become-method")


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    scene.does("executes", "network")
    if any(word.partition("=")[0] in _BECOME for word in arguments.operands):
        scene.doubt("elevates", "its tasks become another user")
    return []


PROGRAM = Program(
    "ansible",
    touched=_touched,
    raw=True,
)

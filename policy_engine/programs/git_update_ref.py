"""`git update-ref`: moves or deletes references below the porcelain."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import FLAG, VALUE, Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    if arguments.has("-d", "--delete"):
        scene.does("discards")
    elif arguments.has("--stdin"):
        scene.doubt("discards", "what is deleted comes from the standard input")
    scene.does("configures")
    return []


PROGRAM = Program(
    "git-update-ref",
    short="dmz",
    long={
        "no-deref": FLAG, "create-reflog": FLAG, "stdin": FLAG, "delete": FLAG, "quiet": FLAG, "recent": FLAG,
        "force": FLAG, "list": FLAG, "format": VALUE, "short": FLAG, "help": FLAG, "version": FLAG,
    },
    touched=_touched,
    tolerant=True,
)  # fmt: skip

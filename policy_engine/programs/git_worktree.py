"""`git worktree`: adds and removes further work trees."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import FLAG, VALUE, Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    verb, places = (arguments.operands or [""])[0], arguments.operands[1:]
    if verb == "add":
        return [scene.path(text, "write", True) for text in places[:1]]
    if verb == "move":
        return [scene.path(text, "write", True) for text in places]
    if verb == "remove":
        if arguments.has("-f", "--force"):
            scene.does("discards")
        return [scene.path(text, "delete", True) for text in places]
    return []


PROGRAM = Program(
    "git-worktree",
    short="fdqvn",
    short_values="bB",
    long={
        "force": FLAG, "detach": FLAG, "checkout": FLAG, "no-checkout": FLAG, "lock": FLAG, "reason": VALUE,
        "orphan": FLAG, "quiet": FLAG, "track": FLAG, "no-track": FLAG, "guess-remote": FLAG, "relative-paths": FLAG,
        "porcelain": FLAG, "verbose": FLAG, "dry-run": FLAG, "expire": VALUE, "help": FLAG, "version": FLAG,
    },
    touched=_touched,
    abbreviates=True,
)  # fmt: skip

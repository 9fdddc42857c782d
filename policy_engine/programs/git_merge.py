"""`git merge`: joins branches."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import FLAG, OPTIONAL, VALUE, Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    if arguments.on(("--no-verify",), ("--verify",)):
        scene.does("skips-hooks")
    return [scene.path(".", "write")]


PROGRAM = Program(
    "git-merge",
    short="enqv",
    short_values="FmsX",
    short_optional="S",
    long={
        "commit": FLAG, "no-commit": FLAG, "edit": FLAG, "no-edit": FLAG, "cleanup": VALUE, "ff": FLAG,
        "no-ff": FLAG, "ff-only": FLAG, "log": OPTIONAL, "no-log": FLAG, "stat": FLAG, "no-stat": FLAG,
        "squash": FLAG, "no-squash": FLAG, "verify": FLAG, "no-verify": FLAG, "strategy": VALUE,
        "strategy-option": VALUE, "verify-signatures": FLAG, "no-verify-signatures": FLAG, "summary": FLAG,
        "no-summary": FLAG, "quiet": FLAG, "verbose": FLAG, "progress": FLAG, "no-progress": FLAG, "autostash": FLAG,
        "no-autostash": FLAG, "allow-unrelated-histories": FLAG, "message": VALUE, "file": VALUE,
        "rerere-autoupdate": FLAG, "no-rerere-autoupdate": FLAG, "overwrite-ignore": FLAG,
        "no-overwrite-ignore": FLAG, "abort": FLAG, "quit": FLAG, "continue": FLAG, "into-name": VALUE,
        "gpg-sign": OPTIONAL, "no-gpg-sign": FLAG, "signoff": FLAG, "no-signoff": FLAG, "compact-summary": FLAG,
        "help": FLAG, "version": FLAG,
    },
    touched=_touched,
    abbreviates=True,
)  # fmt: skip

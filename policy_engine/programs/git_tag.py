"""`git tag`: lists, makes or deletes tags."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import FLAG, OPTIONAL, VALUE, Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    if arguments.operands and not arguments.has("-l", "--list", "-v", "--verify", "-n"):
        scene.does("configures")
        if arguments.has("-d", "--delete"):
            scene.doubt("discards", "commits may be left without a name")
    return [scene.path(text, "read") for text in arguments.values("-F", "--file") if text != "-"]


PROGRAM = Program(
    "git-tag",
    short="adflsv",
    short_values="Fmu",
    short_optional="n",
    long={
        "annotate": FLAG, "sign": FLAG, "no-sign": FLAG, "local-user": VALUE, "force": FLAG, "delete": FLAG,
        "verify": FLAG, "list": FLAG, "sort": VALUE, "color": OPTIONAL, "ignore-case": FLAG, "contains": OPTIONAL,
        "no-contains": OPTIONAL, "merged": OPTIONAL, "no-merged": OPTIONAL, "points-at": VALUE, "message": VALUE,
        "file": VALUE, "edit": FLAG, "cleanup": VALUE, "create-reflog": FLAG, "format": VALUE, "column": OPTIONAL,
        "no-column": FLAG, "trailer": VALUE, "omit-empty": FLAG, "help": FLAG, "version": FLAG,
    },
    touched=_touched,
    abbreviates=True,
)  # fmt: skip

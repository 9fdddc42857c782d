"""`git branch`: lists, makes, moves or deletes branches."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import FLAG, OPTIONAL, VALUE, Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    if arguments.has("-D") or (arguments.has("-d", "--delete") and arguments.has("-f", "--force")):
        scene.does("discards")
    elif arguments.has("-M", "-C") and len(arguments.operands) > 1:
        scene.doubt("discards", "the branch may be put over another one")
    elif arguments.has("-f", "--force") and arguments.operands:
        scene.doubt("discards", "commits may be left without a branch")
    if arguments.operands and not arguments.has("-l", "--list", "-a", "-r", "--contains", "--merged", "--points-at"):
        scene.does("configures")
    return []


PROGRAM = Program(
    "git-branch",
    short="avrlqidDmMcCft",
    short_values="u",
    long={
        "list": FLAG, "all": FLAG, "remotes": FLAG, "verbose": FLAG, "quiet": FLAG, "delete": FLAG, "move": FLAG,
        "copy": FLAG, "force": FLAG, "track": OPTIONAL, "no-track": FLAG, "set-upstream-to": VALUE,
        "unset-upstream": FLAG, "show-current": FLAG, "contains": OPTIONAL, "no-contains": OPTIONAL,
        "merged": OPTIONAL, "no-merged": OPTIONAL, "sort": VALUE, "points-at": VALUE, "format": VALUE,
        "column": OPTIONAL, "no-column": FLAG, "color": OPTIONAL, "no-color": FLAG, "ignore-case": FLAG,
        "abbrev": OPTIONAL, "no-abbrev": FLAG, "create-reflog": FLAG, "edit-description": FLAG, "omit-empty": FLAG,
        "help": FLAG, "version": FLAG,
    },
    touched=_touched,
    abbreviates=True,
)  # fmt: skip

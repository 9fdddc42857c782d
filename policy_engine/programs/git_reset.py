"""`git reset`: moves the branch; with `--hard` and its kin it throws changes away."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import FLAG, OPTIONAL, VALUE, Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    if arguments.has("--hard", "--merge"):
        scene.does("discards")
        return [scene.path(".", "write", True)]
    if arguments.has("--keep"):
        return [scene.path(".", "write", True)]  # tracked files become those of the other commit
    return []


PROGRAM = Program(
    "git-reset",
    short="Nqp",
    short_values="U",
    long={
        "mixed": FLAG, "no-refresh": FLAG, "soft": FLAG, "hard": FLAG, "merge": FLAG, "keep": FLAG,
        "recurse-submodules": OPTIONAL, "no-recurse-submodules": FLAG, "quiet": FLAG, "patch": FLAG,
        "intent-to-add": FLAG, "pathspec-from-file": VALUE, "pathspec-file-nul": FLAG, "refresh": FLAG,
        "no-quiet": FLAG, "help": FLAG, "version": FLAG,
    },
    touched=_touched,
    abbreviates=True,
)  # fmt: skip

"""`git checkout-index`: writes files from the index; with `-f` over what is there."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import FLAG, VALUE, Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    prefix = arguments.last("--prefix") or ""
    if arguments.has("-f", "--force") and not prefix:
        scene.does("discards")
    return [scene.path(prefix or ".", "write", True)]


PROGRAM = Program(
    "git-checkout-index",
    short="uqfanz",
    long={
        "index": FLAG, "quiet": FLAG, "force": FLAG, "all": FLAG, "no-create": FLAG, "prefix": VALUE, "stage": VALUE,
        "temp": FLAG, "stdin": FLAG, "ignore-skip-worktree-bits": FLAG,
    },
    touched=_touched,
    abbreviates=True,
)  # fmt: skip

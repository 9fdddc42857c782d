"""`git rebase`: puts commits on another base; `--exec` runs a shell line for each."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import FLAG, OPTIONAL, VALUE, Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    if arguments.on(("--no-verify",), ("--verify",)):
        scene.does("skips-hooks")
    for line in arguments.values("-x", "--exec"):
        scene.shell(line)
    return []


PROGRAM = Program(
    "git-rebase",
    short="imnpqrvk",
    short_values="sxXC",
    short_optional="S",
    long={
        "onto": VALUE, "continue": FLAG, "abort": FLAG, "skip": FLAG, "quit": FLAG, "edit-todo": FLAG,
        "show-current-patch": FLAG, "interactive": FLAG, "exec": VALUE, "no-verify": FLAG, "verify": FLAG,
        "no-stat": FLAG, "stat": FLAG, "quiet": FLAG, "verbose": FLAG, "autosquash": FLAG, "no-autosquash": FLAG,
        "autostash": FLAG, "no-autostash": FLAG, "root": FLAG, "keep-base": FLAG, "keep-empty": FLAG,
        "no-keep-empty": FLAG, "merge": FLAG, "apply": FLAG, "empty": VALUE, "strategy": VALUE,
        "strategy-option": VALUE, "rebase-merges": OPTIONAL, "no-rebase-merges": FLAG, "force-rebase": FLAG,
        "fork-point": FLAG, "no-fork-point": FLAG, "update-refs": FLAG, "no-update-refs": FLAG,
        "ignore-whitespace": FLAG, "whitespace": VALUE, "committer-date-is-author-date": FLAG, "ignore-date": FLAG,
        "reset-author-date": FLAG, "signoff": FLAG, "gpg-sign": OPTIONAL, "no-gpg-sign": FLAG,
        "rerere-autoupdate": FLAG, "no-rerere-autoupdate": FLAG, "reapply-cherry-picks": FLAG,
        "no-reapply-cherry-picks": FLAG, "allow-empty-message": FLAG, "no-ff": FLAG, "reschedule-failed-exec": FLAG,
        "no-reschedule-failed-exec": FLAG, "trailer": VALUE, "help": FLAG, "version": FLAG,
    },
    touched=_touched,
    abbreviates=True,
)  # fmt: skip

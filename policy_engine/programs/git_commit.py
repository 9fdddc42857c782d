"""`git commit`: whether it leaves out the hooks; `-n` is `--no-verify` here, but not as the value of `-m`."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import FLAG, OPTIONAL, VALUE, Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    if arguments.on(("-n", "--no-verify"), ("--verify",)):
        scene.does("skips-hooks")
    paths = [scene.path(".", "write")]
    for text in arguments.values("-F", "--file", "-t", "--template", "--pathspec-from-file"):
        if text != "-":
            paths.append(scene.path(text, "read"))
    return paths


PROGRAM = Program(
    "git-commit",
    short="aeinopqsvVz",
    short_values="cCFmt",
    short_optional="uS",
    long={
        "all": FLAG, "patch": FLAG, "reuse-message": VALUE, "reedit-message": VALUE, "fixup": VALUE, "squash": VALUE,
        "reset-author": FLAG, "no-reset-author": FLAG, "short": FLAG, "branch": FLAG, "porcelain": FLAG, "long": FLAG,
        "null": FLAG, "file": VALUE, "author": VALUE, "date": VALUE, "message": VALUE, "template": VALUE,
        "signoff": FLAG, "no-signoff": FLAG, "trailer": VALUE, "no-verify": FLAG, "verify": FLAG, "allow-empty": FLAG,
        "allow-empty-message": FLAG, "cleanup": VALUE, "edit": FLAG, "no-edit": FLAG, "amend": FLAG, "no-amend": FLAG,
        "no-post-rewrite": FLAG, "post-rewrite": FLAG, "include": FLAG, "only": FLAG, "pathspec-from-file": VALUE,
        "pathspec-file-nul": FLAG, "untracked-files": OPTIONAL, "verbose": FLAG, "no-verbose": FLAG, "quiet": FLAG,
        "dry-run": FLAG, "status": FLAG, "no-status": FLAG, "gpg-sign": OPTIONAL, "no-gpg-sign": FLAG,
        "interactive": FLAG, "ahead-behind": FLAG,
    },
    touched=_touched,
    abbreviates=True,
)  # fmt: skip

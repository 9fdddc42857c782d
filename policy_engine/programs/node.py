"""`node`: runs a script or code."""

from __future__ import annotations

from policy_engine.model.inline_code import analyse
from policy_engine.model.paths import PathValue
from policy_engine.programs.base import FLAG, OPTIONAL, VALUE, Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    scene.does("executes")
    if any(scene.env.get(name) for name in ("NODE_OPTIONS", "NODE_PATH")):
        scene.does("configures")
    for name in arguments.values("--env-file", "--env-file-if-exists"):
        scene.mention(name)  # the script has what is in it
    for code in arguments.values("-e", "--eval", "-p", "--print"):
        analyse(code, scene)
    if arguments.has("-e", "--eval", "-p", "--print"):
        return []
    return scene.script(arguments.operands)


PROGRAM = Program(
    "node",
    short="hvic",
    short_values="eprC",
    long={
        "eval": VALUE, "print": VALUE, "require": VALUE, "import": VALUE, "loader": VALUE, "check": FLAG,
        "interactive": FLAG, "inspect": OPTIONAL, "env-file": VALUE, "experimental-strip-types": FLAG, "test": FLAG,
        "watch": FLAG, "no-warnings": FLAG, "help": FLAG, "version": FLAG,
    },
    touched=_touched,
    stops=True,
    tolerant=True,
    informs=('--help', '--version', '-v', '-h', '--check', '-c'),
    authors=True,
)  # fmt: skip

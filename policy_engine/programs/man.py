"""`man`: shows a manual page; some of its options start a browser or a pager."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import FLAG, OPTIONAL, VALUE, Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    if arguments.has("--html", "-H", "-P", "--pager"):
        scene.does("executes")
    for pager in arguments.values("-P", "--pager"):
        scene.shell(pager)
    return []


PROGRAM = Program(
    "man",
    short="adfFhkKtuVwW7cDIl",
    short_values="CeEHLmMPprRSsT",
    long={
        "path": FLAG, "whatis": FLAG, "apropos": FLAG, "where": FLAG, "pager": VALUE, "html": OPTIONAL,
        "preprocessor": VALUE, "locale": VALUE, "systems": VALUE, "manpath": VALUE, "sections": VALUE,
        "extension": VALUE, "encoding": VALUE, "prompt": VALUE, "help": FLAG, "version": FLAG,
    },
    touched=_touched,
)  # fmt: skip

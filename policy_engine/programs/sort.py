"""`sort`: sorts lines; `-o` names where they go."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import FLAG, OPTIONAL, VALUE, Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    for text in arguments.values("--compress-program"):
        scene.shell(text)
    paths = [scene.path(text, "read") for text in arguments.operands if text != "-"]
    for text in arguments.values("--files0-from"):
        paths += [scene.path(text, "read"), scene.unknown(text, f"the files that `{text[:80]}` names", "read")]
    return paths + [scene.path(text, "write") for text in arguments.values("-o", "--output")]


PROGRAM = Program(
    "sort",
    short="bcCdfghiMmnRrsuVz",
    short_values="kotST",
    long={
        "ignore-leading-blanks": FLAG, "dictionary-order": FLAG, "ignore-case": FLAG, "general-numeric-sort": FLAG,
        "ignore-nonprinting": FLAG, "month-sort": FLAG, "human-numeric-sort": FLAG, "numeric-sort": FLAG,
        "random-sort": FLAG, "random-source": VALUE, "reverse": FLAG, "sort": VALUE, "version-sort": FLAG,
        "batch-size": VALUE, "check": OPTIONAL, "compress-program": VALUE, "debug": FLAG, "files0-from": VALUE,
        "key": VALUE, "merge": FLAG, "output": VALUE, "stable": FLAG, "buffer-size": VALUE, "field-separator": VALUE,
        "temporary-directory": VALUE, "parallel": VALUE, "unique": FLAG, "zero-terminated": FLAG, "help": FLAG,
        "version": FLAG,
    },
    touched=_touched,
    abbreviates=True,
    shows_content=True,
    read_only=True,
    authors=True,
)  # fmt: skip

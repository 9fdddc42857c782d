"""`rg`: searches below folders for a pattern; it leaves out what git ignores and what is hidden."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import FLAG, VALUE, Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    if arguments.has("--pre", "--hostname-bin", "-z", "--search-zip"):
        scene.does("executes")
    given = arguments.has("-e", "-f", "--regexp", "--file", "--files")
    files = list(arguments.operands) if given else arguments.operands[1:]
    everything = arguments.has("-u", "--hidden", "-.", "--no-ignore", "--unrestricted")
    paths: list[PathValue] = []
    for text in files or ["."]:
        path = scene.path(text, "read")
        paths.append(path.with_access("read", everything and scene.is_folder(path)))
    return paths


PROGRAM = Program(
    "rg",
    short="aFinNoPqsSvwxhHIlcUuz.pbLV0",
    short_values="ABCeEfgjmMrtTd",
    long={
        "type-list": FLAG,
        "hidden": FLAG, "no-ignore": FLAG, "type": VALUE, "type-not": VALUE, "glob": VALUE, "iglob": VALUE,
        "files": FLAG, "files-with-matches": FLAG, "count": FLAG, "line-number": FLAG, "no-heading": FLAG,
        "heading": FLAG, "color": VALUE, "ignore-case": FLAG, "smart-case": FLAG, "fixed-strings": FLAG,
        "regexp": VALUE, "file": VALUE, "pre": VALUE, "pre-glob": VALUE, "hostname-bin": VALUE, "search-zip": FLAG,
        "max-count": VALUE, "max-depth": VALUE, "context": VALUE, "after-context": VALUE, "before-context": VALUE,
        "json": FLAG, "multiline": FLAG, "sort": VALUE, "sortr": VALUE, "follow": FLAG, "null": FLAG, "pcre2": FLAG,
        "replace": VALUE, "stats": FLAG, "vimgrep": FLAG, "word-regexp": FLAG, "invert-match": FLAG,
        "only-matching": FLAG, "no-config": FLAG, "with-filename": FLAG, "no-filename": FLAG, "column": FLAG,
        "trim": FLAG, "unrestricted": FLAG, "no-messages": FLAG, "text": FLAG, "help": FLAG, "version": FLAG,
    },
    touched=_touched,
    shows_content=True,
    read_only=True,
)  # fmt: skip

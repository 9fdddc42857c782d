"""`grep`: searches files for a pattern."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import FLAG, OPTIONAL, VALUE, Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    given = arguments.has("-e", "-f", "--regexp", "--file")
    files = list(arguments.operands) if given else arguments.operands[1:]
    deep = arguments.has("-r", "-R", "--recursive", "--dereference-recursive") or scene.name == "rgrep"
    deep = deep or "recurse" in arguments.values("-d", "--directories")
    names = arguments.has("-l", "-L", "--files-with-matches", "--files-without-match", "-c", "--count", "-q", "--quiet")
    if deep and not files:
        files = ["."]
    paths = [scene.path(text, "read") for text in arguments.values("-f", "--file") if text != "-"]
    for text in files:
        if text != "-":
            path = scene.path(text, "read")
            paths.append(path.with_access("read", deep and not names and scene.is_folder(path)))
    return paths


PROGRAM = Program(
    "grep",
    short="EFGPivwxychlLnoqsHabTuUzrRIZ0123456789V",
    short_values="efmABCdD",
    long={
        "extended-regexp": FLAG, "fixed-strings": FLAG, "basic-regexp": FLAG, "perl-regexp": FLAG, "regexp": VALUE,
        "file": VALUE, "ignore-case": FLAG, "no-ignore-case": FLAG, "word-regexp": FLAG, "line-regexp": FLAG,
        "null-data": FLAG, "no-messages": FLAG, "invert-match": FLAG, "max-count": VALUE, "byte-offset": FLAG,
        "line-number": FLAG, "line-buffered": FLAG, "with-filename": FLAG, "no-filename": FLAG, "label": VALUE,
        "only-matching": FLAG, "quiet": FLAG, "silent": FLAG, "binary-files": VALUE, "text": FLAG,
        "directories": VALUE, "devices": VALUE, "recursive": FLAG, "dereference-recursive": FLAG, "include": VALUE,
        "exclude": VALUE, "exclude-from": VALUE, "exclude-dir": VALUE, "files-without-match": FLAG,
        "files-with-matches": FLAG, "count": FLAG, "initial-tab": FLAG, "null": FLAG, "before-context": VALUE,
        "after-context": VALUE, "context": VALUE, "color": OPTIONAL, "colour": OPTIONAL, "binary": FLAG,
        "unix-byte-offsets": FLAG, "help": FLAG, "version": FLAG,
    },
    touched=_touched,
    abbreviates=True,
    tolerant=True,
    shows_content=True,
    read_only=True,
)  # fmt: skip

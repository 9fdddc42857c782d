"""`patch`: changes the files that a patch names."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import FLAG, OPTIONAL, VALUE, Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    paths = [scene.path(text, "read") for text in arguments.values("-i", "--input") + arguments.operands[1:2]]
    if arguments.has("--dry-run"):
        return paths
    for text in arguments.values("-d", "--directory"):
        paths.append(scene.path(text, "write"))
    output = arguments.last("-o", "--output")
    if output is not None:
        return [*paths, scene.path(output, "write")]
    if arguments.operands:
        return [*paths, scene.path(arguments.operands[0], "write")]
    return [*paths, scene.unknown("patch", "which files the patch changes is not known", "write")]


PROGRAM = Program(
    "patch",
    short="bcdefElnNRstTuZ",
    short_values="BDFdgiporVxYz",
    long={
        "dry-run": FLAG, "strip": VALUE, "input": VALUE, "output": VALUE, "directory": VALUE, "reverse": FLAG,
        "forward": FLAG, "backup": FLAG, "quiet": FLAG, "silent": FLAG, "force": FLAG, "batch": FLAG, "binary": FLAG,
        "merge": OPTIONAL, "fuzz": VALUE, "help": FLAG, "version": FLAG,
    },
    touched=_touched,
    abbreviates=True,
    tolerant=True,
    authors=True,
)  # fmt: skip

"""Read the failures that a program's output names, first one first; never an exception.

The argv decides who reads; where it does not (`npm test`, `make`), the reader whose marks the output bears most of.
A reader that finds nothing leaves the output to the next one, and in the end to the one that reads anything.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from policy_engine.model.family import members
from policy_engine.verification.commands import commands
from policy_engine.verification.failure import Failure
from policy_engine.verification.output import Output, plain
from policy_engine.verification.readers.base import Reader


@cache
def readers() -> tuple[Reader, ...]:
    """Return every member of the family."""
    return tuple(members("policy_engine.verification.readers", Reader))


def failures_of(text: str, argv: Sequence[str], root: str) -> tuple[Failure, ...]:
    """Return the failures in the output of `argv`, with files below `root` relative to it; empty if nothing is said."""
    output = Output(plain(text), tuple(commands(argv)))
    for reader in ranked(output):
        failures = reader.read(output)
        if failures:
            return tuple(_placed(failure, root) for failure in failures)
    return ()


def ranked(output: Output) -> list[Reader]:
    """Readers in the order in which they are asked: claimed by the command, by marks, any."""
    claimed = [reader for reader in readers() if any(reader.claims(command) for command in output.commands)]
    scores = {reader.name: reader.strength(output.text) for reader in readers() if reader not in claimed}
    marked = [reader for reader in readers() if scores.get(reader.name) and not reader.fallback]
    marked.sort(key=lambda reader: -scores[reader.name])
    return [*claimed, *marked, *(reader for reader in readers() if reader.fallback)]


def _placed(failure: Failure, root: str) -> Failure:
    if failure.file is None or not os.path.isabs(failure.file):
        return failure
    path = os.path.normpath(failure.file)
    for folder in (os.path.normpath(root), os.path.realpath(root)):
        if folder != os.sep and path.startswith(folder + os.sep):
            return replace(failure, file=path[len(folder) + 1 :])
    return failure

"""Blanks, comments and continued lines."""

from __future__ import annotations

import shlex
from random import Random

from tests.generated.disguises.base import Disguise, Line, Place, is_plain


def blanks(line: Line, rng: Random, place: Place) -> Line | None:
    if line.argv is None:
        return None
    gaps = (" ", "  ", "\t", " \t ", " \\\n", "\\\n ", "\t\\\n\t")
    words = list(map(shlex.quote, line.argv))
    return Line(
        rng.choice(("", " ", "\t"))
        + words[0]
        + "".join(rng.choice(gaps) + word for word in words[1:])
        + rng.choice(("", " ", "\t", "\n")),
        line.argv,
    )


def continued(line: Line, rng: Random, place: Place) -> Line | None:
    """A line broken within a word."""
    if line.argv is None or not is_plain(line.argv[0]):
        return None
    cut = rng.randrange(1, len(line.argv[0])) if len(line.argv[0]) > 1 else 0
    name = f"{line.argv[0][:cut]}\\\n{line.argv[0][cut:]}"
    return Line(f"{name} {shlex.join(line.argv[1:])}", line.argv)


def comment(line: Line, rng: Random, place: Place) -> Line | None:
    if rng.random() < 0.5:
        return Line(f"{rng.choice(('# a note', '#!/bin/bash', '# it is fine: ls', '#'))}\n{line.text}")
    return (
        Line(f"{line.text}{' ' if line.text[-1:] != chr(10) else ''}# {rng.choice(('safe', 'ls', '; ls', 'a note'))}")
        if "<<" not in line.text
        else None
    )


def empty_lines(line: Line, rng: Random, place: Place) -> Line | None:
    return Line(rng.choice(("\n", "\n\n", " \n\t\n")) + line.text + rng.choice(("\n", "\n\n")))


DISGUISES: dict[str, Disguise] = {form.__name__: form for form in (blanks, continued, comment, empty_lines)}

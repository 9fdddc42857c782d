"""A denied line is not allowed under any disguise, a harmless one not denied under a plain one, and a disguise keeps
the meaning."""

from __future__ import annotations

import os.path
import shutil
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from tests.generated.disguise_play import decided, programs, seeds, started
from tests.generated.disguises import DISGUISES, FAMILIES, NEEDS, disguised
from tests.generated.disguises.base import Place, line_of, simple
from tests.properties.effort import seeds as numbers

DEEPEST = 4
PLAIN = ["blanks", "paths", "quoting", "structure"]
MOST_DENIED = 0.05  # of plainly disguised harmless lines: some odd structures are not understood, and refused
HARMLESS = (
    ("aa", "x", "b c"), ("aa", "one", "two"), ("bb", "-f", "/etc/x"), ("aa", "../y"), ("bb",), ("aa", "$v", "*"),
)  # fmt: skip


@pytest.mark.parametrize("part", range(4))
def test_no_disguise_turns_a_denied_line_into_an_allowed_one(part: int) -> None:
    for number in numbers(400)[part::4]:
        rng = Random(number)
        seed = rng.choice(seeds("deny"))
        line, names = disguised(line_of(seed), rng, rng.randint(1, DEEPEST))
        assert decided(line.text).verdict != "allow", f"seed {number}: `{seed}` under {names}:\n{line.text}"


def test_a_plain_disguise_seldom_turns_a_harmless_line_into_a_denied_one() -> None:
    said: Counter[str] = Counter()
    for number in numbers(200):
        rng = Random(number)
        line, _ = disguised(line_of(rng.choice(seeds("allow"))), rng, rng.randint(1, 2), families=PLAIN)
        said[decided(line.text).verdict] += 1
    assert said["deny"] <= MOST_DENIED * said.total(), said


@pytest.mark.parametrize("family", FAMILIES)
def test_a_disguise_keeps_the_meaning(family: str, tmp_path: Path) -> None:
    stand_ins = programs(tmp_path / "programs")
    place = Place(str(stand_ins), str(tmp_path / "work"))
    tried = 0
    for name, disguise in DISGUISES.items():
        missing = any(need == "-" or shutil.which(need) is None for need in NEEDS.get(name, ()))
        if not name.startswith(f"{family}.") or missing:
            continue
        for number in numbers(2):
            argv = HARMLESS[number % len(HARMLESS)]
            line = disguise(simple(argv), Random(f"{name}{number}"), place)
            if line is not None:
                tried += 1
                ran = [_plain(found, place.cwd) for found in started(line.text, stand_ins, tmp_path)]
                assert _plain(argv, place.cwd) in ran, f"{name}: {line.text}"
    assert tried or family == "options"  # those are of programs that stand-ins cannot be


def _plain(argv: tuple[str, ...], cwd: str) -> tuple[str, ...]:
    """Words that are paths, without noise."""
    return (argv[0], *(os.path.normpath(os.path.join(cwd, word)) if word[:1] in "/." else word for word in argv[1:]))

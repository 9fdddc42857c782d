"""The engine and the reference agree, over layers too; `python -m tests.fuzz.differential` goes on for longer."""

from __future__ import annotations

import math

from tests.fuzz.differential import compare
from tests.fuzz.forms import Forms
from tests.properties.effort import FACTOR, seeds


def test_the_engine_decides_as_the_reference_in_layers() -> None:
    decisions, sets, wrong = compare(2_000 * max(FACTOR, 1), next(iter(seeds(1))), math.inf, Forms())
    assert decisions >= 2_000 and sets > 10
    assert wrong == []

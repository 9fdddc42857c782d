"""Measure the comparison of two policies of which ten rules differ, beside the time that loading both takes."""

from __future__ import annotations

import resource
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from random import Random
from time import perf_counter
from typing import Any

from bench.rules import Rule, policy_text
from bench.workload import make_rules
from policy_engine.loading.loader import load_text
from policy_engine.testing.witness import compare

EDITS = 10
SIZES = (50, 1_000, 10_000)


@dataclass(frozen=True, slots=True)
class Row:
    """Seconds for two sets of so many rules, what was found, and the most memory of the process so far in MiB."""

    rules: int
    load: float
    compare: float
    found: int
    open: int
    peak: float

    def to_dict(self) -> dict[str, Any]:
        """The row as plain data."""
        return asdict(self)


def measure(tell: Callable[[str], None], sizes: tuple[int, ...] = SIZES) -> list[Row]:
    """Compare each set of rules with the same after ten edits: left out, weakened, or about something else."""
    rows = []
    for size in sizes:
        tell(f"compare, {size:,} rules")
        rules = make_rules(size)
        start = perf_counter()
        old, new = load_text(policy_text(rules)), load_text(policy_text(_edited(rules)))
        loaded = perf_counter()
        comparison = compare(old, new)
        seconds = perf_counter() - loaded
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        rows.append(Row(size, loaded - start, seconds, len(comparison.differences), len(comparison.open), peak))
    return rows


def _edited(rules: list[Rule]) -> list[Rule]:
    random = Random(62)
    edited: list[Rule | None] = list(rules)
    others = make_rules(2 * len(rules))[len(rules) :]
    for number, at in enumerate(random.sample(range(len(rules)), EDITS)):
        changes = (None, replace(rules[at], verdict="warn"), replace(rules[at], tests=others[at].tests))
        edited[at] = changes[number % 3] if rules[at].family == others[at].family else None
    return [rule for rule in edited if rule is not None]

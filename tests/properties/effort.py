"""How many examples the properties try: few, always the same ones, in `make test`; POLICY_FUZZ times as many, new ones
each time, in `make fuzz`."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

FACTOR = int(os.environ.get("POLICY_FUZZ", "0"))


def effort(examples: int) -> settings:
    """The settings of a property that tries so many examples in `make test`."""
    return settings(
        max_examples=examples * max(FACTOR, 1),
        derandomize=FACTOR == 0,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        print_blob=FACTOR > 0,
    )


def seeds(count: int) -> range:
    """As many seeds: always the same, or new ones each time."""
    first = int.from_bytes(os.urandom(4), "big") if FACTOR else 0
    return range(first, first + count * max(FACTOR, 1))

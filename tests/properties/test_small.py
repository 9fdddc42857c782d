"""Comparing and proving against brute force: over a small vocabulary every session is tried.

`python -m tests.generated.small 20000` does the same with many more pairs.
"""

from __future__ import annotations

import pytest

from tests.generated.small import every_session, outcomes, pool
from tests.properties.effort import seeds


@pytest.mark.parametrize("seed", seeds(2))
def test_what_is_proved_or_shown_is_so_at_every_session(seed: int) -> None:
    found = list(outcomes(12, seed, size=40))
    assert [what for what in found if "!" in what] == []
    assert "pair: found" in found


def test_the_sessions_tell_rules_apart() -> None:
    known = pool(1, 40)
    spoken = [len(sessions) for sessions in known.spoken.values()]
    assert len(spoken) == 40 and sum(0 < count < len(every_session()) for count in spoken) > 20

"""Choose the one reason why a run stopped from the signals that it gave.

Whatever happened at once, the earliest in the one order of stop reasons wins (interfaces page); a run that gave no
signal at all has stopped for a reason that nobody knows, which is a fault.
"""

from __future__ import annotations

from collections.abc import Mapping

from policy_engine.model.ladder import stop_order

UNDETERMINED = "the stop reason is undetermined"


def decide_stop(signals: Mapping[str, str]) -> tuple[str, str]:
    """Return reason and detail (trimmed) of the earliest of the signals, reason -> detail."""
    if not signals:
        return "fatal_error", UNDETERMINED
    reason = min(signals, key=lambda name: (stop_order(name), name))
    return reason, signals[reason].strip()

"""Count refusals of completion without net progress: the built-in limit `completion-budget`.

Progress is an unmet set that is a proper part of the smallest one so far: only that starts the count again, so that
neither a set that grows and shrinks back nor two sets in turn can go on for ever. Imported by the hook path.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


def budget_slot(namespace: dict[str, Any], agent: str) -> list[Any]:
    """Return the state for an agent: `[count, smallest unmet set, sorted]`."""
    counts: list[Any] = namespace.setdefault(agent, [0, []])
    return counts


def refuse(state: list[Any], unmet: Iterable[str]) -> int:
    """Count one more refusal with these unmet requirements. Return its number since the last progress, 1 for the
    first.
    """
    now, best = set(unmet), set(state[1])
    if state[0] == 0 or now < best:
        state[:] = [1, sorted(now)]
    else:
        state[0] += 1
    return int(state[0])


def clear(state: list[Any]) -> None:
    """Clear the count: a new run began, or a completion was accepted."""
    state[:] = [0, []]

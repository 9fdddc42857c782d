"""Steps of limits: which of them a count never reaches, and whether those of one limit speak as strictly as another's,
as far as that is certain.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import lcm

from policy_engine.analysis.speaking import is_as_strict_unknown
from policy_engine.analysis.terms import atoms_key, key
from policy_engine.checker.tree import CheckedLimit, Happened, LimitStep
from policy_engine.history.limits import reached
from policy_engine.model.ladder import RANK, stop_order
from policy_engine.model.limits import WINDOW_EVENTS

_OF_RESULTS = frozenset(("called", "ran", "command_success", "command_failure", "tests_passed"))
"""Atoms that only the result of a call makes true."""
COUNTS = 100_000  # of which each is looked at; of steps that need more nothing is said


def why_never(limit: CheckedLimit, step: LimitStep) -> str:
    """Return why the count never reaches a step; empty if it may."""
    if limit.atoms and all(atom.kind in _OF_RESULTS for atom in limit.atoms) and not _hears_results(limit):
        return f"`{limit.atoms[0].kind}` happens at `after_tool`, where the limit does not listen"
    if (limit.within or limit.rounds) and step.count > WINDOW_EVENTS:
        return f"a window remembers at most WINDOW_EVENTS ({WINDOW_EVENTS}) events"
    if step.count > 1 and _resets_itself(limit):
        return "what is counted also resets the count"
    return ""


def reachable(limit: CheckedLimit) -> tuple[LimitStep, ...]:
    """Return the steps that the count may reach."""
    return tuple(step for step in limit.steps if not why_never(limit, step))


def _hears_results(limit: CheckedLimit) -> bool:
    return any(listen.point == "after_tool" for listen in limit.listens)


def _resets_itself(limit: CheckedLimit) -> bool:
    if limit.reset is None:
        return False
    if limit.condition is not None:
        return key(limit.condition, {}) == key(limit.reset, {})
    happened = isinstance(limit.reset, Happened) and bool(limit.atoms)
    return happened and atoms_key(limit.atoms, {}) == key(limit.reset, {})


def speaks_as_strictly(limit: CheckedLimit, wanted: CheckedLimit) -> bool:
    """Detect whether the steps of a limit refuse at least as strictly as those of another one, whatever the count, and
    also where nothing is known of it.
    """
    steps, others = reachable(limit), reachable(wanted)
    highest = max((step.count for step in (*steps, *others)), default=0)
    last = highest + lcm(*(step.count for step in (*steps, *others) if step.every))
    if last > COUNTS or not is_as_strict_unknown(limit, wanted):
        return False
    return all(_is_as_strict(_spoken(count, steps), _spoken(count, others)) for count in range(1, last + 1))


def _spoken(count: int, steps: Sequence[LimitStep]) -> LimitStep | None:
    number = reached(count, [(step.count, step.every) for step in steps])
    return None if number is None else steps[number]


def _is_as_strict(one: LimitStep | None, other: LimitStep | None) -> bool:
    if other is None or one is None or RANK[one.verdict] != RANK[other.verdict] or one.verdict != "stop":
        return other is None or (one is not None and RANK[one.verdict] >= RANK[other.verdict])
    return one.reason == other.reason or stop_order(one.reason) < stop_order(other.reason)

"""Find steps of a limit that its count never reaches, as far as that is certain."""

from __future__ import annotations

from policy_engine.analysis.terms import atoms_key, key
from policy_engine.checker.tree import CheckedLimit, Happened, LimitStep
from policy_engine.model.limits import WINDOW_EVENTS


def why_never(limit: CheckedLimit, step: LimitStep) -> str:
    """Return why the count never reaches a step; empty if it may."""
    if (limit.within or limit.rounds) and step.count > WINDOW_EVENTS:
        return f"a window remembers at most WINDOW_EVENTS ({WINDOW_EVENTS}) events"
    if step.count > 1 and _resets_itself(limit):
        return "what is counted also resets the count"
    return ""


def reachable(limit: CheckedLimit) -> tuple[LimitStep, ...]:
    """Return the steps that the count may reach."""
    return tuple(step for step in limit.steps if not why_never(limit, step))


def _resets_itself(limit: CheckedLimit) -> bool:
    if limit.reset is None:
        return False
    if limit.condition is not None:
        return key(limit.condition, {}) == key(limit.reset, {})
    happened = isinstance(limit.reset, Happened) and bool(limit.atoms)
    return happened and atoms_key(limit.atoms, {}) == key(limit.reset, {})

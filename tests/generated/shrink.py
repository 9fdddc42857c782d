"""A failing case, and the question whether a case fails → a smaller one that still does; for cases made from a seed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.generated.policies import Case, Generated


def smallest(case: Case, fails: Callable[[Case], bool]) -> Case:
    """Leave out items, events and what events say, one after the other, as long as the case still fails."""
    before = None
    while before != case:
        before = case
        for place in reversed(range(len(case.policy.items))):
            items = case.policy.items[:place] + case.policy.items[place + 1 :]
            case = _if_fails(Case(Generated(items), case.events), fails) or case
        for place in reversed(range(len(case.events))):
            case = _if_fails(Case(case.policy, case.events[:place] + case.events[place + 1 :]), fails) or case
        for place, event in enumerate(case.events):
            for name in sorted(event.keys() - {"hook", "session", "time", "tool"}):
                less = {key: value for key, value in case.events[place].items() if key != name}
                events: list[dict[str, Any]] = [*case.events[:place], less, *case.events[place + 1 :]]
                case = _if_fails(Case(case.policy, events), fails) or case
    return case


def _if_fails(case: Case, fails: Callable[[Case], bool]) -> Case | None:
    try:
        return case if fails(case) else None
    except (AssertionError, LookupError):  # a policy that lacks what it names does not check
        return None

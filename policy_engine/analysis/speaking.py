"""Compare rules: whether one gives a verdict wherever another does, at least as strictly.

Sure in three-valued logic: what cannot be known is undecided for both rules, and counts as `fail` says.
"""

from __future__ import annotations

from typing import TypeVar

from policy_engine.checker.tree import CheckedLimit, CheckedRule, Listen
from policy_engine.model.ladder import RANK, stop_order
from policy_engine.runtime.rule_results import undecided_verdict

D = TypeVar("D", CheckedRule, CheckedLimit)


def is_stronger(one: CheckedRule, other: CheckedRule) -> bool:
    """Detect whether the first rule's verdict counts as much as the other's at every point of the latter."""
    if RANK[one.verdict] < RANK[other.verdict] or not listens_wider(one.listens, other.listens):
        return False
    if not is_as_strict_unknown(one, other):
        return False
    if other.verdict == "stop" == one.verdict:
        return one.reason == other.reason or stop_order(one.reason) < stop_order(other.reason)
    return True


def unknown_verdicts(item: CheckedRule | CheckedLimit, listens: tuple[Listen, ...]) -> tuple[str, ...]:
    """Return the verdict of a rule or limit at each of some points where it cannot be decided."""
    return tuple(undecided_verdict(item.fail, _strictest(item), listen.point) for listen in listens)


def is_as_strict_unknown(one: D, other: D) -> bool:
    """Detect whether the first says at least as much as the other at each point of the latter, where neither can be
    decided.
    """
    said = zip(unknown_verdicts(one, other.listens), unknown_verdicts(other, other.listens), strict=True)
    return all(RANK[own] >= RANK[wanted] for own, wanted in said)


def _strictest(item: CheckedRule | CheckedLimit) -> str:
    """Return the verdict of a rule, or of any step of a limit: also of one that the count never reaches."""
    verdicts = [item.verdict] if isinstance(item, CheckedRule) else [step.verdict for step in item.steps]
    return max((one for one in verdicts if one), key=RANK.__getitem__, default="")


def listens_wider(wide: tuple[Listen, ...], narrow: tuple[Listen, ...]) -> bool:
    """Detect whether every point and tool of `narrow` is one of `wide`."""
    for listen in narrow:
        same = [other for other in wide if other.point == listen.point]
        if any(not other.kinds and not other.names for other in same):
            continue
        kinds = {kind for other in same for kind in other.kinds}
        names = {name for other in same for name in other.names}
        filtered = bool(listen.kinds or listen.names)
        if not filtered or not set(listen.kinds) <= kinds or not set(listen.names) <= names:
            return False
    return True

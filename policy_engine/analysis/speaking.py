"""Compare rules: whether one gives a verdict wherever another does, at least as strictly.

Sure in three-valued logic: what cannot be known is undecided for both rules, and counts as `fail` says.
"""

from __future__ import annotations

from policy_engine.checker.tree import CheckedRule, Listen
from policy_engine.model.ladder import RANK, stop_order
from policy_engine.model.points import failure_verdict


def is_stronger(one: CheckedRule, other: CheckedRule) -> bool:
    """Detect whether the first rule's verdict counts as much as the other's at every point of the latter."""
    if RANK[one.verdict] < RANK[other.verdict] or not listens_wider(one.listens, other.listens):
        return False
    if RANK[undecided_verdict(one)] < RANK[undecided_verdict(other)]:
        return False
    if other.verdict == "stop" == one.verdict:
        return one.reason == other.reason or stop_order(one.reason) < stop_order(other.reason)
    return True


def undecided_verdict(rule: CheckedRule) -> str:
    """Return the verdict of a rule where it cannot be decided, at a point that has it."""
    if rule.fail != "closed":
        return "ask" if rule.fail == "ask" else "warn"
    if rule.verdict != "stop":
        return rule.verdict
    return "deny" if all(failure_verdict(listen.point) == "deny" for listen in rule.listens) else "warn"


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

"""Decide an event and report every rule that listens at its point, through the same Program.

The decision is made as always; then each rule's traced twin is asked at the same moment, before the event is written
into the session's history. Not on the hook path.
"""

from __future__ import annotations

from policy_engine.evaluators.trace import Seen, see_sides
from policy_engine.model.undecided import Undecided
from policy_engine.runtime.engine import Engine, Observer
from policy_engine.runtime.rule_results import SATISFIED, VIOLATED, outcome_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from policy_engine.evaluators.base import Program, RuleSpec
    from policy_engine.evaluators.context import EvaluationContext
    from policy_engine.model.decision import Decision, RuleResult
    from policy_engine.model.event import Event
    from policy_engine.runtime.session import Session

    Clauses = tuple[tuple[str, Seen], ...]
    Listening = Callable[[Event], frozenset[str]]

CLAUSES = ("when", "unless", "require")


class Explained:
    """One rule, limit or hook at one event.

    `outcome` is one of the four; `clauses` are its clauses as (word, what was seen); `result` is what it put into the
    decision, if anything, `where` the part of the decision that holds it: rules, waived or shadow. `count` is where a
    limit stands, else None.
    """

    __slots__ = ("clauses", "count", "outcome", "result", "rule", "where")

    def __init__(
        self,
        rule: RuleSpec,
        outcome: str,
        clauses: Clauses,
        result: RuleResult | None = None,
        where: str = "",
        count: int | None = None,
    ) -> None:
        self.rule = rule
        self.outcome = outcome
        self.clauses = clauses
        self.result = result
        self.where = where
        self.count = count


class ExplainingEngine(Engine):
    """An Engine that can say what each rule saw; mixed into the Engine that users hold."""

    def explain(self, event: Any, listening: Listening) -> tuple[Decision, tuple[Explained, ...]]:
        """Decide an event as `decide` does, and explain it; `listening(event)` gives the ids of the rules to explain.

        The explanations come in the order of rule ids; there are none for an event that could not be read.
        """
        observer = self.observer = _Explainer(listening)
        try:
            decision = self.decide(event)
        finally:
            self.observer = None
        explained = sorted(observer.explained, key=lambda item: str(item.rule.id))
        return decision, tuple(_joined(item, decision) for item in explained)


class _Explainer(Observer):
    """Explains the rules that listen."""

    def __init__(self, listening: Listening) -> None:
        self._listening = listening
        self.explained: list[Explained] = []

    def after(self, program: Program, context: EvaluationContext, session: Session, decision: Decision) -> None:
        wanted = self._listening(context.event)
        rules = [rule for number in range(program.rules) if (rule := program.rule(number)).id in wanted]
        self.explained = [_explain(rule, context, session) for rule in rules]


def _explain(rule: RuleSpec, context: EvaluationContext, session: Session) -> Explained:
    """Return what a rule's clauses come to now. Never raises: a fault must not change the decision explained."""
    outcome = outcome_of(rule, context).outcome
    clauses: list[tuple[str, Seen]] = []
    count = None
    try:
        *thunks, named = rule.function("trace")(context)
        if named is None or named():
            clauses = [(word, _seen(thunk)) for word, thunk in zip(CLAUSES, thunks, strict=True) if thunk is not None]
        if rule.kind == "limit":
            count = session.limit_count(rule.id, context.event.time)
    except Exception as fault:
        clauses.append(("", Seen("", None, _reasons(fault))))
    return Explained(rule, outcome, tuple(clauses), count=count)


def _seen(thunk: Callable[[], Seen]) -> Seen:
    try:
        return see_sides(thunk())
    except Exception as fault:
        return Seen("", None, _reasons(fault))


def _reasons(fault: Exception) -> tuple[str, ...]:
    return fault.reasons if isinstance(fault, Undecided) else (f"internal error: {type(fault).__name__}: {fault}",)


def _joined(item: Explained, decision: Decision) -> Explained:
    """With what the decision says of the rule. A limit or hook that applies and did not speak is satisfied."""
    for where, results in (
        ("rules", decision.rules),
        ("waived", decision.waived),
        ("shadow", decision.shadow),
        ("approved", decision.approved),
    ):
        for result in results:
            if result.rule == item.rule.id:
                return Explained(item.rule, result.outcome, item.clauses, result, where, item.count)
    if item.rule.kind != "rule" and item.outcome == VIOLATED:
        return Explained(item.rule, SATISFIED, item.clauses, count=item.count)
    return item

"""Evaluate a rule to nothing or a `RuleResult` with reasons, values, witness and evidence.

The plain test answers nearly always; only a rule that is violated or undecided is asked again through its traced twin,
which explains. Both are emitted from the same tree. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.evaluators.trace import UNKNOWN, Seen, every_of, negated, without_unknown
from policy_engine.model.decision import PERHAPS, RuleResult, could_not_be_decided
from policy_engine.model.ladder import RANK
from policy_engine.model.limits import MESSAGE_CHARS
from policy_engine.model.points import failure_verdict
from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from policy_engine.evaluators.base import RuleSpec
    from policy_engine.evaluators.context import EvaluationContext

SATISFIED, NOT_APPLICABLE, VIOLATED, UNDECIDED = "satisfied", "not_applicable", "violated", "undecided"


class Outcome:
    """One of the four outcomes of a rule, with the tree of what was seen."""

    __slots__ = ("outcome", "seen")

    def __init__(self, outcome: str, seen: Seen) -> None:
        self.outcome = outcome
        self.seen = seen


def passes(rule: RuleSpec, context: EvaluationContext) -> bool:
    """Return whether the rule decidedly has nothing to say, by its plain test."""
    try:
        return not rule.function("test")(context)
    except Exception:  # Undecided, or a fault of ours: the traced twin says which, and neither reads as allowed
        return False


def evaluate_rule(rule: RuleSpec, context: EvaluationContext) -> RuleResult | None:
    """Return what a rule that did not pass its plain test puts into the decision, if anything."""
    outcome = outcome_of(rule, context)
    if outcome.outcome in (SATISFIED, NOT_APPLICABLE):
        return None
    return result_of(rule, context, outcome)


def outcome_of(rule: RuleSpec, context: EvaluationContext) -> Outcome:
    """The outcome through the traced twin: violated = when and not unless and not require (language §11)."""
    try:
        when, unless, require, named = rule.function("trace")(context)
        return _combine(when, unless, require, named)
    except Exception as fault:
        reasons = (
            fault.reasons if isinstance(fault, Undecided) else (f"internal error: {type(fault).__name__}: {fault}",)
        )
        return Outcome(UNDECIDED, Seen("", None, reasons))


def _combine(
    when: Callable[[], Seen] | None,
    unless: Callable[[], Seen] | None,
    require: Callable[[], Seen] | None,
    named: Callable[[], bool] | None,
) -> Outcome:
    if named is not None and not named():
        return Outcome(NOT_APPLICABLE, Seen("", False))
    if when is None:
        scope = every_of("") if unless is None else negated("", unless)
    elif unless is None:
        scope = when()
    else:
        scope = every_of("", when, lambda: negated("", unless))
    if require is None:
        truth = scope.truth
        outcome = VIOLATED if truth else UNDECIDED if truth is None else NOT_APPLICABLE
        return Outcome(outcome, scope)
    failing = negated("", require)
    whole = every_of("", lambda: scope, lambda: failing)
    if whole.truth is False:
        return Outcome(SATISFIED if scope.truth is True else NOT_APPLICABLE, whole)
    if whole.truth is None:
        return Outcome(UNDECIDED, whole)
    bound = {**scope.bound, **failing.bound}
    return Outcome(VIOLATED, Seen("", True, (), failing.because, bound, failing.evidence, (scope, failing)))


def result_of(rule: RuleSpec, context: EvaluationContext, outcome: Outcome) -> RuleResult:
    """Return what a violated or undecided rule puts into the decision."""
    undecided = outcome.outcome == UNDECIDED
    verdict = undecided_verdict(rule.fail, rule.verdict, context.event.hook) if undecided else rule.verdict or "allow"
    text = said(rule, "message", context, outcome.seen.bound) or rule.title or rule.id
    if undecided:
        text = without_unknown(text, rule.title or rule.id)
        text = could_not_be_decided(outcome.seen.reasons) + PERHAPS + text
    return RuleResult(
        rule.id,
        outcome.outcome,
        verdict,
        text.replace(UNKNOWN, "?")[:MESSAGE_CHARS],
        rule.at,
        _unique(outcome.seen.because),
        outcome.seen.evidence or ((context.event.id,) if context.event.id else ()),
        outcome.seen.reasons,
        rule.satisfy,
        rule.reason if verdict == "stop" else "",
    )


def undecided_verdict(fail: str, verdict: str, point: str) -> str:
    """`fail open` warns; `fail ask` asks, if the rule's verdict is no milder; `fail closed` gives the rule's verdict,
    where an undecided `stop` refuses (language §11)."""
    if fail == "ask" and verdict in ("ask", "deny", "stop"):
        return "ask"
    if fail != "closed":
        return "warn"
    if verdict == "stop":
        return failure_verdict(point)
    return verdict or "warn"


def said(rule: RuleSpec, part: str, context: EvaluationContext, bound: dict[int, Any]) -> str:
    """A message with its interpolations; a fault in one never changes an outcome."""
    if not rule.has(part):
        return ""
    try:
        return str(rule.function(part)(context, bound))  # may hold UNKNOWN
    except Exception as fault:
        return f"{rule.title or rule.id} (the message could not be written: {type(fault).__name__})"


def _unique(because: tuple[tuple[str, dict[str, Any]], ...]) -> tuple[tuple[str, dict[str, Any]], ...]:
    entries: list[tuple[str, dict[str, Any]]] = []
    for leaf in because:
        if leaf not in entries:
            entries.append(leaf)
    return tuple(entries)


def waived(rule: RuleSpec, context: EvaluationContext) -> bool:
    """Return whether a waiver in force covers the event; an undecided one covers nothing."""
    for until, part in rule.waivers:
        now = context.event.time
        if now is None or now >= until:
            continue
        try:
            if not part or rule.function(part)(context):
                return True
        except Undecided:
            continue
    return False


def strictness(result: RuleResult) -> tuple[int, str]:
    """Sort key: strictest first, then by rule id."""
    return -RANK[result.verdict], result.rule

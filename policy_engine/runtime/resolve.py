"""Combine what the rules gave about one event to the Decision: the maximum, whatever the order.

Nothing here can lower a verdict. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.decision import Decision, RuleResult
from policy_engine.model.ladder import RANK, stop_order
from policy_engine.model.layers import is_retained, layer_of
from policy_engine.model.points import ENGINE, failure_verdict
from policy_engine.runtime.rule_results import VIOLATED, strictness

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from policy_engine.model.event import Event


def resolve(
    event: Event,
    policy: str,
    spoken: list[RuleResult],
    errors: tuple[str, ...] = (),
    waived: list[RuleResult] | None = None,
    shadow: list[RuleResult] | None = None,
    timeout_ms: int | None = None,
    approved: list[RuleResult] | None = None,
) -> Decision:
    """The one decision on an event. Of `approved` nothing is left where anything else could hold the call back."""
    if not spoken:
        verdict, stop = "allow", None
    else:
        spoken.sort(key=strictness)
        verdict = spoken[0].verdict
        stop = _stop_reason(spoken) if verdict == "stop" else None
        if verdict == "ask" and event.host_interactive is False:
            verdict = "deny"  # nobody can answer: never allow (language §2)
    void = errors or waived or shadow or any(map(_holds, spoken))
    return Decision(
        event.id,
        event.hook,
        event.session,
        verdict,
        policy,
        tuple(spoken),
        errors,
        stop,
        timeout_ms,
        tuple(sorted(waived, key=strictness)) if waived else (),
        tuple(sorted(shadow, key=strictness)) if shadow else (),
        tuple(sorted(approved, key=strictness)) if approved and not void else (),
    )


def _holds(said: RuleResult) -> bool:
    """Return whether something that was said refuses, asks, or could not be decided."""
    return RANK[said.verdict] >= RANK["ask"] or said.outcome != VIOLATED


def refused(event: Event, decision: Decision, code: str, why: Iterable[str]) -> Decision:
    """The decision, and the failure verdict of the point for each reason why it cannot be the whole answer."""
    texts = tuple(f"{code}: {text}" for text in why)
    verdict = failure_verdict(event.hook)
    more = [RuleResult(ENGINE, "undecided", verdict, f"{text}.", undecided=(text,)) for text in texts]
    return beside(event, decision, more, texts)


def beside(event: Event, decision: Decision, more: Iterable[RuleResult], errors: tuple[str, ...] = ()) -> Decision:
    """The decision, with more that is said: all of it, and nothing of what was said before is lost.

    What was approved is not approved any more then. With nothing more it is the decision itself.
    """
    more = tuple(more)
    if not more and not errors:
        return decision
    spoken, waived, shadow = [*decision.rules, *more], list(decision.waived), list(decision.shadow)
    return resolve(event, decision.policy, spoken, decision.errors + errors, waived, shadow, decision.timeout_ms)


def never_refused(event: Event, decision: Decision) -> Decision:
    """The decision on a prompt, of which what could not be decided only warns: a person must be heard."""
    spoken = [milder(one) if one.outcome == "undecided" else one for one in decision.rules]
    waived, shadow = list(decision.waived), list(decision.shadow)
    return resolve(event, decision.policy, spoken, decision.errors, waived, shadow, decision.timeout_ms)


def milder(result: RuleResult) -> RuleResult:
    """The result as a warning at most."""
    return RuleResult(
        result.rule, result.outcome, min(result.verdict, "warn", key=RANK.__getitem__), result.message, result.at,
        result.because, result.evidence, result.undecided, result.satisfy,
    )  # fmt: skip


def warning(seen: str) -> RuleResult:
    """Return what the engine says of something that it saw outside of the event."""
    return RuleResult(ENGINE, "violated", "warn", f"{seen}.")


def resolve_failure(hook: str, text: str) -> Decision:
    """The decision on an event of this point that is let through undecided, with a note."""
    note = f"{text}. No rule has seen this {hook}; it is let through."
    return Decision("", hook, "", "warn", "", (own_word("undecided", "warn", note, ""),), (text,))


def as_retained(result: RuleResult) -> RuleResult:
    """The word of a rule that is not in the policies any more, which says so."""
    if is_retained(result.rule):
        result.message = f"{result.message} {RETAINED_NOTE}"
    return result


RETAINED_NOTE = (
    "This session began with this rule and keeps it; if the change of the policy is meant, a person runs"
    " `policy adopt` in a terminal."
)


def own_word(outcome: str, verdict: str, message: str, reason: str) -> RuleResult:
    """Return what the engine itself says of a run."""
    return RuleResult(
        ENGINE, outcome, verdict, message, undecided=(message,) if outcome == "undecided" else (), reason=reason
    )


def worst(spoken: Iterable[RuleResult], layer: int) -> int:
    """The rank on the ladder of what the layers down to this one say."""
    return max((RANK[result.verdict] for result in spoken if layer_of(result.rule) <= layer), default=0)


def _stop_reason(spoken: list[RuleResult]) -> str:
    """Of several stops the earliest in stop-reason order, then by rule id."""
    stops = [result for result in spoken if result.verdict == "stop"]
    return min(stops, key=lambda result: (stop_order(result.reason), result.rule)).reason

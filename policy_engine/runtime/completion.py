"""Bound refused completions: end the run when refusing has stopped helping.

The built-in limit `completion-budget`: refusals with the same unmet set are counted, the count starts again when the
set shrinks, and after COMPLETION_BUDGET refusals the run stops and a person takes over. Gates that never end are
switched off by their users. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.history.budget import budget_slot, clear, refuse
from policy_engine.model.decision import Decision, RuleResult
from policy_engine.model.ladder import RANK
from policy_engine.model.layers import LAYERS, RETAINED, is_retained, layer_of, prefix
from policy_engine.model.limits import COMPLETION_BUDGET
from policy_engine.model.points import COMPLETIONS
from policy_engine.runtime.limits import spoken_step
from policy_engine.runtime.resolve import beside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.evaluators.base import Program
    from policy_engine.evaluators.context import EvaluationContext
    from policy_engine.runtime.session import Session

NAME = "completion-budget"
EXHAUSTED = "accept_continue_exhausted"


def completion_budget(program: Program, session: Session, context: EvaluationContext, decision: Decision) -> Decision:
    """Count a refusal of completion, or forget the count after a prompt or an accepted completion.

    Each layer counts what it and the stronger ones refuse, so that a weaker layer can only end the run sooner.
    """
    event = context.event
    if event.hook not in COMPLETIONS and event.hook != "prompt":
        return decision
    results = []
    present = dict(reversed(program.budgets))
    for layer, number in present.items():
        refusals = _refusals(decision, LAYERS.index(layer)) if event.hook != "prompt" else []
        now = [one for one in refusals if not is_retained(one.rule)]
        results.append(_counted(program, session, context, layer, "", number, now))
        if program.retained:
            others = {name for sort, name in program.retained if sort == "refused"}
            before = [one for one in refusals if one.rule not in others]  # as if nothing had changed
            results.append(_counted(program, session, context, layer, RETAINED, dict(program.budgets)[layer], before))
    steps = [step for step in results if step is not None]
    return beside(event, decision, steps) if steps else decision


def _refusals(decision: Decision, rank: int) -> list[RuleResult]:
    """Return what the layers down to this rank refuse."""
    return [one for one in decision.rules if RANK[one.verdict] >= RANK["ask"] and layer_of(one.rule) <= rank]


def _counted(
    program: Program,
    session: Session,
    context: EvaluationContext,
    layer: str,
    stratum: str,
    number: int,
    refusals: list[RuleResult],
) -> RuleResult | None:
    """Count a refusal in its layer, as it is or (`stratum`) as it was when the session began; what its budget says."""
    namespace = session.history.namespace("budget")
    slot = prefix(layer) + stratum + session.agent
    if not refusals:
        if slot in namespace:
            clear(budget_slot(namespace, slot))
            session.history.dirty = True
        return None
    if any(one.verdict == "stop" for one in refusals):
        return None
    unmet = sorted({result.rule for result in refusals})
    count = refuse(budget_slot(namespace, slot), unmet)
    session.note_limit(prefix(layer) + stratum + NAME, count)
    session.history.dirty = True
    if number >= 0:
        return spoken_step(program.rule(number), context, count, {})
    return None if count <= COMPLETION_BUDGET else _exhausted(context, layer, count, unmet)


def _exhausted(context: EvaluationContext, layer: str, count: int, unmet: list[str]) -> RuleResult:
    names = ", ".join(unmet)
    text = f"Completion was refused {COMPLETION_BUDGET} times for the same reasons ({names}). A person takes over."
    because = ((f"refusals > {COMPLETION_BUDGET}", {"refusals": count, "unmet": unmet}),)
    evidence = (context.event.id,) if context.event.id else ()
    return RuleResult(prefix(layer) + NAME, "violated", "stop", text, "", because, evidence, reason=EXHAUSTED)

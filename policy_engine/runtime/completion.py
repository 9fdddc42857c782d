"""A refused completion → the same decision, or the end of the run when refusing has stopped helping.

The built-in limit `completion-budget`: refusals with the same unmet set are counted, the count starts again when the
set shrinks, and after COMPLETION_BUDGET refusals the run stops and a person takes over. Gates that never end are
switched off by their users. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.history.budget import budget_slot, clear, refuse
from policy_engine.model.decision import Decision, RuleResult
from policy_engine.model.ladder import RANK
from policy_engine.model.limits import COMPLETION_BUDGET
from policy_engine.model.points import COMPLETIONS
from policy_engine.runtime.limits import spoken_step
from policy_engine.runtime.resolve import resolve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.evaluators.base import Program
    from policy_engine.evaluators.moment import Moment
    from policy_engine.runtime.session import Session

NAME = "completion-budget"
EXHAUSTED = "accept_continue_exhausted"


def completion_budget(program: Program, session: Session, moment: Moment, decision: Decision) -> Decision:
    """Count a refusal of completion, or forget the count after a prompt or an accepted completion."""
    event = moment.event
    if event.hook not in COMPLETIONS and event.hook != "prompt":
        return decision
    room = session.history.room("budget")
    if event.hook == "prompt" or RANK[decision.verdict] < RANK["ask"]:
        if session.agent in room:
            clear(budget_slot(room, session.agent))
            session.history.dirty = True
        return decision
    if decision.verdict == "stop":
        return decision
    unmet = sorted({result.rule for result in decision.rules if RANK[result.verdict] >= RANK["ask"]})
    count = refuse(budget_slot(room, session.agent), unmet)
    session.history.dirty = True
    said = _step(program, moment, count, unmet)
    if said is None:
        return decision
    spoken = [*decision.rules, said]
    return resolve(event, decision.policy, spoken, decision.errors, list(decision.waived), list(decision.shadow))


def _step(program: Program, moment: Moment, count: int, unmet: list[str]) -> RuleResult | None:
    if program.budget >= 0:
        return spoken_step(program.rule(program.budget), moment, count, {})
    if count <= COMPLETION_BUDGET:
        return None
    names = ", ".join(unmet)
    text = f"Completion was refused {COMPLETION_BUDGET} times for the same reasons ({names}). A person takes over."
    because = ((f"refusals > {COMPLETION_BUDGET}", {"refusals": count, "unmet": unmet}),)
    evidence = (moment.event.id,) if moment.event.id else ()
    return RuleResult(NAME, "violated", "stop", text, "", because, evidence, reason=EXHAUSTED)

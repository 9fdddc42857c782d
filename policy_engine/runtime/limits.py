"""Find the step of a limit that gives its verdict; the state is the history's. Imported by the hook path.

Events that fail `when` neither count nor break a run. What cannot be known is not counted but reported (language §11).
"""

from __future__ import annotations

from policy_engine.evaluators.trace import UNKNOWN
from policy_engine.history.limits import (
    fresh_repeats,
    fresh_tally,
    is_part,
    key_of,
    known,
    latest,
    reached,
    repeat,
    slot,
    start_again,
    start_all_again,
    tally,
)
from policy_engine.history.windows import RING
from policy_engine.model.decision import RuleResult
from policy_engine.model.undecided import Undecided
from policy_engine.runtime.rule_results import NOT_APPLICABLE, UNDECIDED, VIOLATED, Outcome, outcome_of, result_of, said

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.evaluators.base import RuleSpec
    from policy_engine.evaluators.context import EvaluationContext
    from policy_engine.runtime.session import Session


def limit_results(
    limits: list[RuleSpec], context: EvaluationContext, session: Session
) -> list[tuple[RuleSpec, RuleResult]]:
    """Count this event; what each limit says of it, if anything.

    A limit that reads limits sees their counts before this event: their order means nothing.
    """
    counted = [(limit, _came_to(limit, context, session)) for limit in limits]
    for limit, counter in counted:
        if isinstance(counter, int):
            session.note_limit(limit.id, counter, _window(limit, session))
    spoken = []
    for limit, counter in counted:
        result = None
        if isinstance(counter, int):
            result = spoken_step(limit, context, counter, {0: counter})
        elif counter is not None:
            result = result_of(limit, context, counter)
        if result is not None:
            spoken.append((limit, result))
    return spoken


def _window(limit: RuleSpec, session: Session) -> list[Any] | None:
    """Return what lies in the window of the key that was counted last, for later readers; None without one."""
    _, _, within, rounds, _, _ = limit.extra
    if not within and not rounds:
        return None
    return [within, rounds, list(latest(session.history.namespace("limits"), limit.id, session.agent)[RING])]


def _came_to(limit: RuleSpec, context: EvaluationContext, session: Session) -> Outcome | int | None:
    """The count after this event, an undecided outcome, or None where the limit does not apply."""
    try:
        if not limit.function("test")(context):
            return None
    except Exception:  # the traced twin says why
        scope = outcome_of(limit, context)
        if scope.outcome == NOT_APPLICABLE:
            return None
        if scope.outcome == UNDECIDED:
            return scope
    try:
        return _counted(limit, context, session)
    except Undecided as unknown:
        scope = outcome_of(limit, context)
        scope.seen.reasons, scope.seen.truth = unknown.reasons, None
        return Outcome(UNDECIDED, scope.seen)


def spoken_step(limit: RuleSpec, context: EvaluationContext, count: int, bound: dict[int, object]) -> RuleResult | None:
    """Return what the limit says at this count."""
    steps = limit.extra[5]
    number = reached(count, [(step[0], step[1]) for step in steps])
    if number is None:
        return None
    _, _, verdict, reason, at = steps[number]
    text = said(limit, f"message{number}", context, bound).replace(UNKNOWN, "?") or limit.title
    evidence = (context.event.id,) if context.event.id else ()
    because = ((f"{limit.id} at {steps[number][0]}", {"count": count}),)
    return RuleResult(limit.id, VIOLATED, verdict, text, at, because, evidence, reason=reason)


def _counted(limit: RuleSpec, context: EvaluationContext, session: Session) -> int:
    """The count after this event. Raises Undecided, before anything changed."""
    session.counted()
    measure, period, within, rounds, monitor, _ = limit.extra
    history, event = context.history, context.event
    parts = limit.function("key")(context)
    key = key_of(parts, context.history.key)
    namespace = history.namespace("limits")
    reset = limit.has("reset") and bool(limit.function("reset")(context))
    if reset and measure != "repeats" and not any(is_part(part) for part in parts):
        start_all_again(namespace, limit.id, session.agent)
    if measure == "repeats":
        history.dirty = True
        run = slot(namespace, limit.id, session.agent, "", fresh_repeats())
        return start_again(run) if reset else repeat(run, key, period)
    happened = history.now(monitor) if monitor >= 0 else bool(limit.function("condition")(context))
    if not (reset or within or rounds) and session.uncounted and not known(namespace, limit.id, session.agent, key):
        raise Undecided("what the session counted before is lost")
    history.dirty = True
    state = slot(namespace, limit.id, session.agent, key, fresh_tally())
    return tally(state, happened, reset, within, rounds, event.time, history.round_of(session.agent), event.id)

"""Advance the modes of a Program before any rule reads them. Imported by the hook path."""

from __future__ import annotations

from policy_engine.history.modes import mode_slot, mode_step
from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.evaluators.base import Program, RuleSpec
    from policy_engine.evaluators.context import EvaluationContext
    from policy_engine.runtime.session import Session


def update_modes(program: Program, session: Session, context: EvaluationContext) -> None:
    """One step of every mode, in id order; a mode that reads another sees the others' state before this event."""
    if not program.modes:
        return
    namespace = session.history.namespace("modes")
    answers = []
    for mode in program.mode_rules():
        answers.append((mode, _holds(mode, "enter", context), _leaves(mode, context)))
    round_ = session.history.round_of(session.agent)
    for mode, enter, leave in answers:
        state = mode_slot(namespace, mode.id, session.agent)
        before = list(state)
        mode_step(state, enter, leave, round_, *mode.extra)
        if enter or leave:
            session.mode_known(mode.id)
        if state != before:
            session.history.dirty = True


def _leaves(mode: RuleSpec, context: EvaluationContext) -> bool | None:
    if mode.has("exit"):
        return _holds(mode, "exit", context)
    enter = _holds(mode, "enter", context)
    return None if enter is None else not enter


def _holds(mode: RuleSpec, part: str, context: EvaluationContext) -> bool | None:
    try:
        return bool(mode.function(part)(context))
    except Undecided:
        return None

"""Compute the tool's time budget in ms from a rule's `timeout` effect. Imported by the hook path."""

from __future__ import annotations

from policy_engine.history.limits import key_of
from policy_engine.history.timeouts import call_budget, call_ended
from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.evaluators.base import Program, RuleSpec
    from policy_engine.evaluators.context import EvaluationContext


def timeout_of(rule: RuleSpec, context: EvaluationContext) -> int:
    """The budget that the effect gives this call; a clamp takes the host's own wish, if any, into its range."""
    assert rule.effect is not None
    least, most, cap = rule.effect
    if most:
        wish = (context.event.tool_args or {}).get("timeout")
        return min(max(wish, least), most) if type(wish) is int else int(least)
    if not cap:
        return int(least)
    try:
        return call_budget(context.history.namespace(f"timeout {rule.id}"), _key(rule, context), least, cap)
    except Undecided:
        return int(least)


def note_ended(program: Program, context: EvaluationContext) -> None:
    """A call ended: the next budget of its key doubles after a timeout and falls back after anything else."""
    for number in program.effects:
        rule = program.rule(number)
        try:
            key, late = _key(rule, context), bool(context.result_timed_out)
        except Undecided:
            continue
        call_ended(context.history.namespace(f"timeout {rule.id}"), key, late)
        context.history.dirty = True


def _key(rule: RuleSpec, context: EvaluationContext) -> str:
    return key_of(rule.function("key")(context), context.history.key)

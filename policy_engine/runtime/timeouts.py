"""Compute the tool's time budget in ms from a rule's `timeout` effect. Imported by the hook path."""

from __future__ import annotations

from policy_engine.history.limits import key_of
from policy_engine.history.timeouts import call_budget, call_ended
from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.evaluators.base import Program, RuleSpec
    from policy_engine.evaluators.moment import Moment


def timeout_of(rule: RuleSpec, moment: Moment) -> int:
    """The budget that the effect gives this call; a clamp takes the host's own wish, if any, into its range."""
    assert rule.effect is not None
    least, most, cap = rule.effect
    if most:
        wish = (moment.event.tool_args or {}).get("timeout")
        return min(max(wish, least), most) if type(wish) is int else int(least)
    if not cap:
        return int(least)
    try:
        return call_budget(moment.history.room(f"timeout {rule.id}"), _key(rule, moment), least, cap)
    except Undecided:
        return int(least)


def note_ended(program: Program, moment: Moment) -> None:
    """A call ended: the next budget of its key doubles after a timeout and falls back after anything else."""
    for number in program.effects:
        rule = program.rule(number)
        try:
            key, late = _key(rule, moment), bool(moment.result_timed_out)
        except Undecided:
            continue
        call_ended(moment.history.room(f"timeout {rule.id}"), key, late)
        moment.history.dirty = True


def _key(rule: RuleSpec, moment: Moment) -> str:
    return key_of(rule.function("key")(moment), moment.history.key)

"""Run the policy's own commands in a hook process, within what is left until its answer is due.

They run only as far as they are trusted (trust.py), get the time that they declare, and do not outlive the answer.
"""

from __future__ import annotations

from policy_engine.consent.trust import Gate
from policy_engine.evaluators.base import RuleSpec
from policy_engine.hook_process.response_writer import WARM_MS, ResponseWriter
from policy_engine.model.limits import VERIFY_TIMEOUT_MS
from policy_engine.model.process import GRACE_SECONDS, SETTLE_SECONDS, kill_running
from policy_engine.runtime.external import DEFAULT_TIMEOUT_MS, Hooks
from policy_engine.verification.record import stage_record

_ENDING_MS = int((GRACE_SECONDS + SETTLE_SECONDS) * 1000)  # what ending a program by force may take


def hooks(workspace: str, response: ResponseWriter) -> Hooks:
    """For one event."""
    gate = Gate(workspace)
    response.kill = kill_running

    def admit(rule: RuleSpec) -> str:
        refusal = gate(rule)
        if not refusal and not (rule.kind == "hook" and rule.extra[3]):  # what observes is not waited for
            response.extend(_longest(rule) + WARM_MS, f"what `{rule.id}` runs")
        return refusal

    return Hooks(None, admit, stage_record, beside=True)


def _longest(rule: RuleSpec) -> int:
    """Return how long the commands of a declaration may take, in ms."""
    if rule.kind == "verify":
        return sum((stage[2] or VERIFY_TIMEOUT_MS) + _ENDING_MS for stage in rule.extra[0])
    return int(rule.extra[2] or DEFAULT_TIMEOUT_MS) + _ENDING_MS

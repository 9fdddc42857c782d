"""Run the pipelines that a completion must pass when no rule refuses it, and combine their results.

Three steps, so that no session is held while programs run: `due` within the first transaction, `run` outside of any,
`conclude` within the second. The stages themselves are run by whoever `Hooks.stage` is. A pipeline never asks anybody.
Imported by the hook path for policies with a `verify`.
"""

from __future__ import annotations

from policy_engine.evaluators.base import RuleSpec
from policy_engine.evaluators.trace import Seen
from policy_engine.history.verification import PASSED, failures, first_problem
from policy_engine.model.decision import RuleResult
from policy_engine.model.ladder import RANK
from policy_engine.model.layers import layer_of
from policy_engine.model.undecided import Undecided
from policy_engine.runtime.external import nobody
from policy_engine.runtime.resolve import as_retained, beside, worst
from policy_engine.runtime.rule_results import UNDECIDED, VIOLATED, Outcome, outcome_of, result_of, said

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from policy_engine.evaluators.base import Program
    from policy_engine.evaluators.context import EvaluationContext
    from policy_engine.model.decision import Decision
    from policy_engine.runtime.external import Hooks
    from policy_engine.runtime.session import Session

    Decide = Callable[[dict[str, Any]], Decision]

POINT = "before_completion"
_SHOWN = ("command", "exit_code", "error_class", "file", "line", "summary")


class Due:
    """A pipeline that applies: `result` is what it says without being run, `record` what its stages did."""

    __slots__ = ("rule", "result", "record", "spoken")

    def __init__(self, rule: RuleSpec, result: RuleResult | None) -> None:
        self.rule = rule
        self.result = result
        self.record: dict[str, Any] | None = None
        self.spoken: tuple[RuleResult, ...] = ()


def due(program: Program, context: EvaluationContext, session: Session, decision: Decision) -> list[Due]:
    """The pipelines that a completion waits for, in the order of the policy."""
    if not program.verifies or context.event.hook != POINT:
        return []
    stages_due = []
    for spec in program.verifies:
        rule = RuleSpec(spec, program.names)
        if _moot(rule, decision):
            continue
        scope = outcome_of(rule, context)
        if scope.outcome == UNDECIDED:
            stages_due.append(Due(rule, result_of(rule, context, scope)))
        elif session.away:
            stages_due.append(Due(rule, _unknown(rule, context, "the session's history is not available")))
        elif scope.outcome == VIOLATED and not _fresh(rule, session):
            stages_due.append(Due(rule, None))
    return stages_due


def _moot(rule: RuleSpec, decision: Decision) -> bool:
    """Return whether a rule of the pipeline's layer, or of a stronger one, refuses the completion anyway."""
    return worst(decision.rules, layer_of(rule.id)) >= RANK["ask"]


def still_due(waiting: list[Due], decision: Decision) -> list[Due]:
    """Return what is left of them after the hooks spoke."""
    return [one for one in waiting if not _moot(one.rule, decision)]


def _fresh(rule: RuleSpec, session: Session) -> bool:
    """Return whether it passed later than anything changed."""
    passed, changed = rule.extra[4]
    try:
        return session.history.since(passed, changed)
    except Undecided:
        return False


def run(waiting: list[Due], context: EvaluationContext, how: Hooks | None, decide: Decide) -> None:
    """Run what is waiting; `decide` tells the engine of each beginning and end. Nothing runs after a `stop`."""
    for one in waiting:
        if one.result is not None:
            continue
        refusal = how.admit(one.rule) if how is not None and how.stage is not None else nobody(one.rule)
        if how is None or refusal:
            one.result = _unknown(one.rule, context, f"the stages did not run: {refusal}")
            continue
        begun = decide(_event(context, "before_verification", {"name": one.rule.id}))
        if begun.verdict == "stop":
            one.spoken = begun.rules
            return
        one.record = {"name": one.rule.id, **_stages(one.rule, context, how)}
        one.spoken = (*begun.rules, *decide(_event(context, "after_verification", one.record)).rules)


def _stages(rule: RuleSpec, context: EvaluationContext, how: Hooks) -> dict[str, Any]:
    """Each stage in turn, until one does not pass."""
    assert how.stage is not None
    records: list[dict[str, Any]] = []
    for stage in rule.extra[0]:
        record = how.stage(stage, context.filesystem.real_workspace)
        records.append(record)
        if record["outcome"] != PASSED:
            return {"passed": False, "stages": records}
    return {"passed": True, "stages": records}


def _event(context: EvaluationContext, hook: str, verification: dict[str, Any]) -> dict[str, Any]:
    raw, name = context.event.raw, verification["name"]
    kept: dict[str, Any] = {key: raw[key] for key in ("session", "cwd", "workspace", "agent", "host") if key in raw}
    word = "begin" if hook == "before_verification" else "end"
    return {"hook": hook, "id": f"{context.event.id}.{name}.{word}", **kept, "verification": verification}


def conclude(session: Session, context: EvaluationContext, decision: Decision, waiting: list[Due]) -> Decision:
    """The decision with what the pipelines say."""
    more: list[RuleResult] = []
    for one in waiting:
        result = one.result or _result(one, context, session)
        if result is not None:
            more.append(as_retained(result))
        more += one.spoken
    return beside(context.event, decision, more)


def _result(one: Due, context: EvaluationContext, session: Session) -> RuleResult | None:
    if one.record is None:
        return None  # nothing ran after a `stop`, which refuses by itself
    if one.record["passed"]:
        return None if _fresh(one.rule, session) else _moved(one, context)
    problem = first_problem(one.record)
    if problem["outcome"] == "cancelled":
        return _unknown(one.rule, context, f"the stage `{problem['stage']}` was cancelled")
    failed, (_, retries, then, reason, _) = failures(session.history, one.rule.id), one.rule.extra
    if problem["outcome"] != "pending" and retries >= 0 and failed > retries:
        session.block_todo(f"verify:{one.rule.id}", one.rule.title or one.rule.id)
        text = said(one.rule, "exhausted", context, {}) or f"It failed {failed} times. A person takes over."
        return _spoken(one, then, f"{text} {_told(problem)}", reason if then == "stop" else "")
    if problem["outcome"] == "not_started":
        return _unknown(one.rule, context, _told(problem).rstrip("."))
    advice = "Finish again when it has ended." if problem["outcome"] == "pending" else "Repair it and finish again."
    return _spoken(one, "deny", f"{_told(problem)} {advice}")


def _told(problem: dict[str, Any]) -> str:
    """Return what is wrong with a stage, in one sentence."""
    stage = f"The stage `{problem['stage']}` (`{problem['command']}`)"
    if problem["outcome"] == "pending":
        return f"{stage} is still pending."
    place = ":".join(str(problem[key]) for key in ("file", "line") if problem.get(key) is not None)
    summary = ": ".join(part for part in (place, problem.get("summary") or "") if part)
    word = {"timed_out": "ran out of time", "not_started": "could not be started"}.get(problem["outcome"], "failed")
    return f"{stage} {word}: {summary}." if summary else f"{stage} {word}."


def _spoken(one: Due, verdict: str, text: str, reason: str = "") -> RuleResult:
    assert one.record is not None
    problem = first_problem(one.record)
    values = {key: problem[key] for key in _SHOWN if problem.get(key) is not None}
    because = ((f"stage {problem['stage']}", values),)
    return RuleResult(one.rule.id, VIOLATED, verdict, text, one.rule.at, because, reason=reason)


def _moved(one: Due, context: EvaluationContext) -> RuleResult:
    text = (
        "Files changed while the checks ran, so that their success says nothing about the files as they are. Finish"
        " again; what the checks themselves write belongs into .gitignore, or into the policy's `noise`."
    )
    return RuleResult(one.rule.id, VIOLATED, "deny", text, one.rule.at, evidence=(context.event.id,))


def _unknown(rule: RuleSpec, context: EvaluationContext, why: str) -> RuleResult:
    return result_of(rule, context, Outcome(UNDECIDED, Seen("", None, (why,))))

"""Run external hooks in their order: a command with the event on its standard input, or a Python callable.

Hooks run after rules and only while the decision is below `deny`. Exit 0 allows, 1 or 2 refuse with at most
HOOK_OUTPUT_BYTES of what it wrote as message, a JSON object `{verdict, message}` overrides, and everything else (a
missing program, a signal, a timeout, another status) is undecided and fails in the declared direction. So does a
callable that raises. Where the point cannot refuse, a refusal is reported. A command that observes runs beside the
decision where its answer can be kept for the session's next event (observing.py).
"""

from __future__ import annotations

from policy_engine.model.decision import RuleResult
from policy_engine.model.ladder import RANK
from policy_engine.model.layers import layer_of
from policy_engine.model.points import failure_verdict
from policy_engine.model.undecided import ABSENT, Undecided
from policy_engine.runtime.judge import Results
from policy_engine.runtime.resolve import resolve, worst
from policy_engine.runtime.rule_results import UNDECIDED, VIOLATED, Outcome, outcome_of, result_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from policy_engine.evaluators.base import Bucket, Program, RuleSpec
    from policy_engine.evaluators.context import EvaluationContext
    from policy_engine.model.decision import Decision

    Callables = dict[str, Callable[[Any], Any]]
    Admit = Callable[[RuleSpec], str]
    RunStage = Callable[[tuple[Any, ...], str], dict[str, Any]]

DEFAULT_TIMEOUT_MS = 10_000
REFUSALS = ("ask", "deny")


def nobody(rule: RuleSpec) -> str:
    """Return why no command runs where nobody said that any may."""
    return "this policy's commands are not trusted here"


def everybody(rule: RuleSpec) -> str:
    """Nothing is in the way of any command."""
    return ""


class Hooks:
    """The way `hook` and `verify` declarations are run here.

    `admit` is asked right before the commands of a declaration run, and gives the reason why they must not, empty if
    they may; it may take its time and prepare for their running. `stage` runs one stage of a `verify` in a folder and
    gives its record (`stage`, `command`, `outcome`, `exit_code`, `error_class`, `file`, `line`, `summary`,
    `raw_excerpt`). `rehearsed`: the stages are only played, and the commands of hooks do not run, as in a test; it
    holds what hooks answer instead, a verdict or an Undecided by `hook.ID`.
    `beside`: commands that observe are not waited for; their answers are said at a later event of the session.
    """

    __slots__ = ("admit", "beside", "callables", "rehearsed", "stage")

    def __init__(
        self,
        callables: Callables | None = None,
        admit: Admit = nobody,
        stage: RunStage | None = None,
        rehearsed: dict[str, Any] | None = None,
        beside: bool = False,
    ) -> None:
        self.callables = callables or {}
        self.admit = admit
        self.stage = stage
        self.rehearsed = rehearsed
        self.beside = beside


def with_hooks(
    program: Program, bucket: Bucket, context: EvaluationContext, decision: Decision, how: Hooks | None
) -> Decision:
    """The decision after the bucket's hooks were asked, each if the decision so far is below `deny` in its layer."""
    results = Results()
    results.spoken, results.waived, results.shadow = list(decision.rules), list(decision.waived), list(decision.shadow)
    approved = list(decision.approved)
    run_in_order([program.rule(number) for number in bucket.hooks], context, results, how)
    spoken, waived, shadow = results.spoken, results.waived, results.shadow
    budget, errors = decision.timeout_ms, decision.errors
    return resolve(context.event, decision.policy, spoken, errors, waived, shadow, budget, approved)


def run_in_order(hooks: list[RuleSpec], context: EvaluationContext, results: Results, how: Hooks | None) -> None:
    """Add the results of the hooks that apply and do not allow, until one refuses.

    What weaker layers refuse keeps no hook of a stronger one from being asked: it might say more.
    """
    refusing = RANK["ask" if context.event.host_interactive is False else "deny"]  # where nobody can answer
    for hook in sorted(hooks, key=lambda hook: (layer_of(hook.id), int(hook.extra[4]))):
        if worst(results.spoken, layer_of(hook.id)) >= refusing:
            continue
        scope = outcome_of(hook, context)
        if scope.outcome == UNDECIDED:
            result: RuleResult | None = result_of(hook, context, scope)
        elif scope.outcome == VIOLATED:
            result = _ask(hook, context, how)
        else:
            result = None
        if result is not None:
            if hook.extra[3] or (result.verdict in REFUSALS and failure_verdict(context.event.hook) == "warn"):
                result.verdict = min(result.verdict, "warn", key=RANK.__getitem__)
            results.add(hook, context, result)


def _ask(hook: RuleSpec, context: EvaluationContext, how: Hooks | None) -> RuleResult | None:
    try:
        verdict, message = _answer(hook, context, how)
    except Undecided as unknown:
        outcome = Outcome(UNDECIDED, _seen(unknown.reasons))
        return result_of(hook, context, outcome)
    if verdict == "allow":
        return None
    evidence = (context.event.id,) if context.event.id else ()
    return RuleResult(hook.id, VIOLATED, verdict, message or hook.title, hook.at, evidence=evidence)


def _seen(reasons: tuple[str, ...]) -> Any:
    from policy_engine.evaluators.trace import Seen

    return Seen("", None, reasons)


def _answer(hook: RuleSpec, context: EvaluationContext, how: Hooks | None) -> tuple[str, str]:
    argv, name, timeout, observes, _ = hook.extra
    answer = how.rehearsed.get(f"hook.{hook.id}") if how is not None and how.rehearsed else None
    if isinstance(answer, Undecided):
        raise answer
    if answer is not None:
        return answer, ""
    if name:
        if how is None or name not in how.callables:
            raise Undecided(f"no Python callable is registered as `{name}`")
        return _called(_call(how.callables[name], context, name), name)
    refusal = how.admit(hook) if how is not None else nobody(hook)
    if refusal:
        raise Undecided(f"`{argv[0]}` did not run: {refusal}")
    if how is not None and how.rehearsed is not None:
        raise Undecided(f"`{argv[0]}` did not run: a test starts no program")
    timeout = timeout or DEFAULT_TIMEOUT_MS
    if observes and how is not None and how.beside:
        from policy_engine.runtime.observing import start

        start(hook, argv, timeout, context, described(context))
        return "allow", ""
    from policy_engine.runtime.process import answer_of, run

    return answer_of(run(argv, described(context), timeout, context.filesystem.real_workspace), argv[0])


def _call(asked: Callable[[Any], Any], context: EvaluationContext, name: str) -> Any:
    """Its answer to a copy of the event: what it does to that is its own business."""
    from copy import deepcopy

    try:
        return asked(deepcopy(described(context)))
    except Undecided:
        raise
    except Exception as problem:
        raise Undecided(f"`{name}` raised {type(problem).__name__}: {problem}") from None


def described(context: EvaluationContext) -> dict[str, Any]:
    """Return the event as a hook is given it: beside what the host sent, `content` and `paths` of a call.

    They are what rules read under these names, whatever the host calls its arguments; None where it is not known.
    """
    event = context.event.raw
    if context.event.tool_name is None:
        return event
    return {**event, "content": _known(context, "content"), "paths": _known(context, "paths")}


def _known(context: EvaluationContext, name: str) -> Any:
    try:
        value = getattr(context, name)
        if name == "content":
            return None if value is ABSENT else value
        return [{"path": path.text, "real": path.real, "access": path.access} for path in value]
    except Undecided:
        return None


def _called(answer: Any, name: str) -> tuple[str, str]:
    if answer is None or answer is True:
        return "allow", ""
    if answer is False:
        return "deny", f"`{name}` refused"
    if type(answer) is tuple and len(answer) == 2 and answer[0] in RANK:
        return str(answer[0]), str(answer[1])
    raise Undecided(f"`{name}` gave neither true, false nor (verdict, message)")

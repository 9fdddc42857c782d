"""Decide one bucket: facts, modes, limits and rules, in this order. Imported by the hook path."""

from __future__ import annotations

from policy_engine.model.decision import Decision, RuleResult
from policy_engine.model.ladder import RANK
from policy_engine.model.layers import layer_of
from policy_engine.model.points import COMPLETIONS
from policy_engine.model.undecided import Undecided
from policy_engine.runtime.resolve import as_retained, resolve
from policy_engine.runtime.rule_results import VIOLATED, evaluate_rule, passes, waived

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.evaluators.base import Bucket, Program, RuleSpec
    from policy_engine.evaluators.context import EvaluationContext
    from policy_engine.history.facts import Fact
    from policy_engine.model.event import Event
    from policy_engine.runtime.session import Session

PARSED_EARLY = 4096  # characters of a shell line; one that cannot be understood is parsed twice
ENDED = ("after_tool", "prompt")
AROUND_VERIFICATION = ("before_verification", "after_verification", "prompt")


class Results:
    """The results about one event: enforced, waived, in shadow, approving; the tool's time budgets in ms by layer."""

    __slots__ = ("approved", "shadow", "spoken", "timeouts", "waived")

    def __init__(self) -> None:
        self.spoken: list[RuleResult] = []
        self.waived: list[RuleResult] = []
        self.shadow: list[RuleResult] = []
        self.approved: list[RuleResult] = []
        self.timeouts: dict[int, int] = {}

    @property
    def timeout(self) -> int | None:
        """The longest that a layer gives, but of several layers the shortest: none gives more than another allows."""
        return min(self.timeouts.values()) if self.timeouts else None

    def give(self, rule: RuleSpec, budget: int) -> None:
        """A rule gives the tool this much time."""
        layer = layer_of(rule.id)
        self.timeouts[layer] = max(self.timeouts.get(layer, 0), budget)

    def add(self, rule: RuleSpec, context: EvaluationContext, result: RuleResult) -> None:
        """Put a result where it counts: waived and shadow rules are reported, never enforced."""
        as_retained(result)
        if rule.waivers and waived(rule, context):
            self.waived.append(result)
        elif rule.shadow:
            self.shadow.append(result)
        else:
            self.spoken.append(result)

    def approve(self, rule: RuleSpec, context: EvaluationContext, result: RuleResult) -> None:
        """Put the result of a rule that approves where it counts; one that is waived voids every approval."""
        (self.waived if rule.waivers and waived(rule, context) else self.approved).append(result)

    def decision(self, event: Event, policy: str, errors: tuple[str, ...]) -> Decision:
        """Return the decision that these come to."""
        return resolve(event, policy, self.spoken, errors, self.waived, self.shadow, self.timeout, self.approved)


def prepare(program: Program, bucket: Bucket | None, context: EvaluationContext) -> None:
    """Do what needs no past before the session is held: code is imported, limits are read, the shell line is parsed.

    Many processes may wait for the store at once, and whoever holds it must not lose the processor meanwhile.
    """
    if bucket is not None and bucket.limits:
        import policy_engine.runtime.limits

        for number in bucket.limits:
            program.rule(number)
    if program.watch is not None:
        import policy_engine.runtime.watching  # noqa: F401 -- only to have it
    event = context.event
    if event.shell_line is not None and len(event.shell_line) <= PARSED_EARLY:
        from policy_engine.effects.analysis import analysis_of

        try:
            for command in context.line_commands:
                if event.hook == "before_tool":
                    analysis_of(command)  # worked out once, and kept
        except Undecided:
            return


def judge(
    program: Program,
    bucket: Bucket | None,
    context: EvaluationContext,
    session: Session,
    errors: tuple[str, ...],
) -> Decision:
    """Decide one event at one moment of its session, external hooks not yet asked."""
    event = context.event
    _take_in(program, context, session)
    results = Results()
    if bucket is not None:
        if bucket.limits:
            _limits(program, bucket, context, session, results)
        _rules(program, bucket.dispatch(context), context, results)
    return results.decision(event, program.digest, errors)


def judge_event(program: Program, hits: list[int], context: EvaluationContext, errors: tuple[str, ...]) -> Decision:
    """Decide an event to which only the rules `hits` could apply, none of which reads the past."""
    results = Results()
    _rules(program, hits, context, results)
    return results.decision(context.event, program.digest, errors)


def _rules(program: Program, hits: list[int], context: EvaluationContext, results: Results) -> None:
    for number in set(hits):
        _rule(program.rule(number), context, results)


def _take_in(program: Program, context: EvaluationContext, session: Session) -> None:
    """Facts first: rules see the event that they judge in the history."""
    event = context.event
    if not session.away and (program.retained or "retained" in session.history.state["rooms"]):
        from policy_engine.runtime.retained import move_state

        move_state(program, session.history)
    _observe(program, context, session)
    if event.hook == "before_tool" and event.tool_kind in ("write", "edit") and "wrote" in program.facts:
        from policy_engine.history.unchanged import note_proposed

        watch, filesystem = program.watch, context.filesystem

        def is_known(path: str) -> bool:
            from policy_engine.history.watch import Watch
            from policy_engine.runtime import watching

            return watch is None or watching.is_known(Watch(watch), path, filesystem, session)

        note_proposed(event, filesystem, session.history, is_known)
    if program.verifies and event.hook in AROUND_VERIFICATION:
        from policy_engine.history.verification import forget, note

        if event.hook == "prompt":
            forget(session.history)
        else:
            note(event, session.history)
    if "diff" in program.facts and event.hook in ("session_start", "prompt") and session.parts is not None:
        from policy_engine.history.run_start import note_start

        note_start(session.parts, session.said.get("turn", 0), context.filesystem)
        session.history.dirty = True
    if program.modes:
        from policy_engine.runtime.modes import update_modes

        update_modes(program, session, context)
    if program.effects and event.hook == "after_tool":
        from policy_engine.runtime.timeouts import note_ended

        note_ended(program, context)


def _observe(program: Program, context: EvaluationContext, session: Session) -> None:
    """Enter what the event says that was done, and what a comparison of the watched files shows, into the history."""
    event = context.event
    seen = None
    facts: tuple[Fact, ...] = ()
    if program.watch is not None and session.parts is not None:
        from policy_engine.history import suite
        from policy_engine.history.watch import Watch
        from policy_engine.runtime.watching import look

        held = _held(context, session) if "tests" in program.facts else None
        seen = look(
            Watch(program.watch), event, context.filesystem, session, lambda: context.line_commands, held is not None
        )
        if seen is not None:
            suite.note(
                seen.facts, lambda: _commands(context, event), session.parts, session.history, context.filesystem
            )
        if seen is not None and event.hook != "after_tool":  # found now, done before
            session.history.observe(seen.facts)
        if held is not None and seen is not None and seen.whole:
            from policy_engine.history.returned import keep

            keep(held, session.parts, session.history)
    if program.facts and (event.hook in ENDED or event.changes or event.facts or "lost" in event.raw):
        from policy_engine.history.facts import facts_of

        compared = seen.covers if seen is not None else None
        facts = facts_of(event, context.filesystem, _commands(context, event), compared)
        if event.tool_kind in ("write", "edit"):
            from policy_engine.history.unchanged import without_unchanged

            facts = without_unchanged(facts, event, context.filesystem, session.history)
    found = seen.facts if seen is not None and event.hook == "after_tool" else ()
    if seen is not None and found:
        from policy_engine.history.reports import without_reports

        found = without_reports(found, facts, seen.is_new, session.history)
    if any(fact.kind == "tests" for fact in facts):
        from policy_engine.history.line_order import order_writes

        order_writes(found, facts, event, context.filesystem)
    early = tuple(fact for fact in found if fact.early)
    session.history.observe((*early, *facts))
    if found:
        session.history.observe(fact for fact in found if not fact.early)  # what is written comes last
        from policy_engine.history.tables import RETURNED

        if RETURNED in session.history.state["rooms"] and session.parts is not None:
            from policy_engine.history.returned import settle

            settle(session.parts, session.history, context.filesystem)


def _held(context: EvaluationContext, session: Session) -> tuple[str, dict[str, str]] | None:
    """Return what the workspace holds, where the call proposed may have git move it; None if that is not needed."""
    event = context.event
    if event.hook != "before_tool" or event.shell_line is None or "git" not in event.shell_line:
        return None
    from policy_engine.history.returned import contents, is_worth_keeping, may_move

    if not may_move(event.shell_line):
        return None
    try:
        worth = is_worth_keeping(context.line_commands, session.history)
    except Undecided:
        return None
    return contents(session.history, context.filesystem) if worth else None


def _commands(context: EvaluationContext, event: Event) -> Any:
    """The parsed line for the facts of a finished shell call, or the reason why there is none."""
    if event.hook != "after_tool" or event.tool_kind != "shell":
        return None
    try:
        return context.line_commands
    except Undecided as unknown:
        return unknown


def _limits(program: Program, bucket: Bucket, context: EvaluationContext, session: Session, results: Results) -> None:
    from policy_engine.runtime.limits import limit_results

    for limit, result in limit_results([program.rule(number) for number in bucket.limits], context, session):
        results.add(limit, context, result)


def _rule(rule: RuleSpec, context: EvaluationContext, results: Results) -> None:
    result = None if passes(rule, context) else evaluate_rule(rule, context)
    if result is None:
        return
    if rule.approves:
        if result.outcome == VIOLATED and not rule.shadow and _is_granted(rule, context):
            results.approve(rule, context, result)
        return
    if rule.effect is not None and result.outcome == VIOLATED and not rule.shadow:
        from policy_engine.runtime.timeouts import timeout_of

        results.give(rule, timeout_of(rule, context))
    if rule.verdict or result.outcome != VIOLATED:
        results.add(rule, context, result)


def _is_granted(rule: RuleSpec, context: EvaluationContext) -> bool:
    """Return whether the rule may approve the call; what a tool does that only carries a command, nobody knows."""
    event = context.event
    proved = event.tool_kind in rule.extra[1:]
    if event.carried is not None or event.tool_args is None or (proved and event.tool_kind == "read"):
        return proved and event.carried is None
    from policy_engine.effects.granted import is_granted, is_named_tool, searches_only

    try:
        if not proved:
            return is_named_tool(event, context.own_paths, context.filesystem)
        if event.tool_kind == "search":
            return searches_only(event, context.own_paths, context.filesystem)
        return is_granted(event.tool_args, context.commands)
    except Undecided:
        return False


def remember(program: Program, session: Session, context: EvaluationContext, decision: Decision) -> Decision:
    """Return what the decision itself leaves behind: refusals, and the budget of completions, which may end the run."""
    event = context.event
    if event.hook in COMPLETIONS or event.hook == "prompt":
        from policy_engine.runtime.completion import completion_budget

        decision = completion_budget(program, session, context, decision)
    if "refused" in program.facts:
        from policy_engine.history.facts import refusals

        rules = sorted({result.rule for result in decision.rules if RANK[result.verdict] >= RANK["ask"]})
        session.history.observe(refusals(event, rules))
    return decision

"""Decide one bucket: facts, modes, limits and rules, in this order. Imported by the hook path."""

from __future__ import annotations

from policy_engine.model.decision import Decision, RuleResult
from policy_engine.model.ladder import RANK
from policy_engine.model.layers import layer_of
from policy_engine.model.points import COMPLETIONS
from policy_engine.model.undecided import Undecided
from policy_engine.runtime.resolve import as_retained, resolve
from policy_engine.runtime.speak import VIOLATED, passes, speak, waived

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.evaluators.base import Bucket, Program, RuleSpec
    from policy_engine.evaluators.moment import Moment
    from policy_engine.model.event import Event
    from policy_engine.runtime.session import Session

PARSED_EARLY = 4096  # characters of a shell line; one that cannot be understood is parsed twice
ENDED = ("after_tool", "prompt")
AROUND_VERIFICATION = ("before_verification", "after_verification", "prompt")


class Said:
    """The results about one event: enforced, waived and in shadow, and the tool's time budgets in ms by layer."""

    __slots__ = ("shadow", "spoken", "timeouts", "waived")

    def __init__(self) -> None:
        self.spoken: list[RuleResult] = []
        self.waived: list[RuleResult] = []
        self.shadow: list[RuleResult] = []
        self.timeouts: dict[int, int] = {}

    @property
    def timeout(self) -> int | None:
        """The longest that a layer gives, but of several layers the shortest: none gives more than another allows."""
        return min(self.timeouts.values()) if self.timeouts else None

    def give(self, rule: RuleSpec, budget: int) -> None:
        """A rule gives the tool this much time."""
        layer = layer_of(rule.id)
        self.timeouts[layer] = max(self.timeouts.get(layer, 0), budget)

    def add(self, rule: RuleSpec, moment: Moment, result: RuleResult) -> None:
        """Put a result where it counts: waived and shadow rules are reported, never enforced."""
        as_retained(result)
        if rule.waivers and waived(rule, moment):
            self.waived.append(result)
        elif rule.shadow:
            self.shadow.append(result)
        else:
            self.spoken.append(result)


def prepare(program: Program, bucket: Bucket | None, moment: Moment) -> None:
    """Do what needs no past before the session is held: code is imported, limits are read, the shell line is parsed.

    Many processes may wait for the store at once, and whoever holds it must not lose the processor meanwhile.
    """
    if bucket is not None and bucket.limits:
        import policy_engine.runtime.limits

        for number in bucket.limits:
            program.rule(number)
    if program.watch is not None:
        import policy_engine.runtime.watching  # noqa: F401 -- only to have it
    event = moment.event
    if event.shell_line is not None and len(event.shell_line) <= PARSED_EARLY:
        from policy_engine.effects.analysis import scene_of

        try:
            for command in moment.commands:
                if event.hook == "before_tool":
                    scene_of(command)  # worked out once, and kept
        except Undecided:
            return


def judge(
    program: Program,
    bucket: Bucket | None,
    moment: Moment,
    session: Session,
    errors: tuple[str, ...],
) -> Decision:
    """Decide one event at one moment of its session, external hooks not yet asked."""
    event = moment.event
    _take_in(program, moment, session)
    said = Said()
    if bucket is not None:
        if bucket.limits:
            _limits(program, bucket, moment, session, said)
        _rules(program, bucket.dispatch(moment), moment, said)
    return resolve(event, program.digest, said.spoken, errors, said.waived, said.shadow, said.timeout)


def judge_event(program: Program, hits: list[int], moment: Moment, errors: tuple[str, ...]) -> Decision:
    """Decide an event to which only the rules `hits` could apply, none of which reads the past."""
    said = Said()
    _rules(program, hits, moment, said)
    return resolve(moment.event, program.digest, said.spoken, errors, said.waived, said.shadow, said.timeout)


def _rules(program: Program, hits: list[int], moment: Moment, said: Said) -> None:
    for number in set(hits):
        _rule(program.rule(number), moment, said)


def _take_in(program: Program, moment: Moment, session: Session) -> None:
    """Facts first: rules see the event that they judge in the history."""
    event = moment.event
    if not session.away and (program.retained or "retained" in session.history.state["rooms"]):
        from policy_engine.runtime.retained import move_state

        move_state(program, session.history)
    seen = None
    if program.watch is not None:
        from policy_engine.history import suite
        from policy_engine.history.watch import Watch
        from policy_engine.runtime.watching import look

        seen = look(Watch(program.watch), event, moment.world, session)
        if seen is not None:
            suite.note(seen.facts, lambda: _commands(moment, event), session.parts, session.history, moment.world)
    if seen is not None and event.hook != "after_tool":  # found now, done before
        session.history.observe(seen.facts)
    if program.facts and (event.hook in ENDED or event.changes or event.facts or "lost" in event.raw):
        from policy_engine.history.facts import facts_of

        compared = seen.covers if seen is not None else None
        facts = facts_of(event, moment.world, _commands(moment, event), compared)
        if event.tool_kind == "write":
            from policy_engine.history.unchanged import without_unchanged

            facts = without_unchanged(facts, event, moment.world, session.history)
        session.history.observe(facts)
    if seen is not None and event.hook == "after_tool":  # within one event, what is written comes last
        session.history.observe(seen.facts)
    if event.hook == "before_tool" and event.tool_kind == "write" and "wrote" in program.facts:
        from policy_engine.history.unchanged import note_proposed

        watch, world = program.watch, moment.world

        def is_known(path: str) -> bool:
            from policy_engine.history.watch import Watch
            from policy_engine.runtime import watching

            return watch is None or watching.is_known(Watch(watch), path, world, session)

        note_proposed(event, world, session.history, is_known)
    if program.verifies and event.hook in AROUND_VERIFICATION:
        from policy_engine.history.verification import forget, note

        if event.hook == "prompt":
            forget(session.history)
        else:
            note(event, session.history)
    if "diff" in program.facts and event.hook in ("session_start", "prompt") and session.parts is not None:
        from policy_engine.history.run_start import note_start

        note_start(session.parts, session.said.get("turn", 0), moment.world)
        session.history.dirty = True
    if program.modes:
        from policy_engine.runtime.modes import update_modes

        update_modes(program, session, moment)
    if program.effects and event.hook == "after_tool":
        from policy_engine.runtime.timeouts import note_ended

        note_ended(program, moment)


def _commands(moment: Moment, event: Event) -> Any:
    """The parsed line for the facts of a finished shell call, or the reason why there is none."""
    if event.hook != "after_tool" or event.tool_kind != "shell":
        return None
    try:
        return moment.commands
    except Undecided as unknown:
        return unknown


def _limits(program: Program, bucket: Bucket, moment: Moment, session: Session, said: Said) -> None:
    from policy_engine.runtime.limits import limit_results

    for limit, result in limit_results([program.rule(number) for number in bucket.limits], moment, session):
        said.add(limit, moment, result)


def _rule(rule: RuleSpec, moment: Moment, said: Said) -> None:
    result = None if passes(rule, moment) else speak(rule, moment)
    if result is None:
        return
    if rule.effect is not None and result.outcome == VIOLATED and not rule.shadow:
        from policy_engine.runtime.timeouts import timeout_of

        said.give(rule, timeout_of(rule, moment))
    if rule.verdict or result.outcome != VIOLATED:
        said.add(rule, moment, result)


def remember(program: Program, session: Session, moment: Moment, decision: Decision) -> Decision:
    """Return what the decision itself leaves behind: refusals, and the budget of completions, which may end the run."""
    event = moment.event
    if event.hook in COMPLETIONS or event.hook == "prompt":
        from policy_engine.runtime.completion import completion_budget

        decision = completion_budget(program, session, moment, decision)
    if "refused" in program.facts:
        from policy_engine.history.facts import refusals

        rules = sorted({result.rule for result in decision.rules if RANK[result.verdict] >= RANK["ask"]})
        session.history.observe(refusals(event, rules))
    return decision

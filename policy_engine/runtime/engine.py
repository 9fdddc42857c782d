"""`Engine`: event in, Decision out; the lean loop around a Program and the sessions' histories.

Facts of the event go into the history first, then the bucket of (point, tool kind) finds the rules that it could
concern, each speaks or not, and the maximum decides. Whatever goes wrong in here becomes the point's failure verdict:
`decide` never raises for a user's mistake and never allows by accident. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.evaluators.moment import Moment
from policy_engine.history.facts import facts_of, refusals
from policy_engine.model.decision import Decision, RuleResult
from policy_engine.model.errors import EventError, StoreError
from policy_engine.model.event import Event
from policy_engine.model.ladder import RANK
from policy_engine.model.points import failure_verdict
from policy_engine.model.undecided import Undecided
from policy_engine.model.world import Disk
from policy_engine.runtime.completion import COMPLETIONS, completion_budget
from policy_engine.runtime.limits import limit_result
from policy_engine.runtime.modes import update_modes
from policy_engine.runtime.resolve import resolve
from policy_engine.runtime.session import Session, empty_session
from policy_engine.runtime.speak import NOT_APPLICABLE, SATISFIED, outcome_of, quick, result_of, waived
from policy_engine.runtime.timeouts import note_ended, timeout_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from policy_engine.evaluators.base import Bucket, Program
    from policy_engine.model.world import World
    from policy_engine.runtime.external import Hooks
    from policy_engine.runtime.session import Sessions

ENGINE = "policy-engine"
"""The rule id under which the engine itself speaks."""


class Engine:
    """Decides events against one Program, which `program` names anew for every event (a reload swaps it).

    `program` and `errors` are called once per event; `sessions` keeps histories; `home` is the user's home folder;
    `hooks` says how `hook` declarations run (None: they stay undecided); `clock` gives ms since the epoch.
    """

    def __init__(
        self,
        program: Callable[[], Program],
        sessions: Sessions,
        home: str | None,
        clock: Callable[[], int],
        errors: Callable[[], tuple[str, ...]] = tuple,
        hooks: Hooks | None = None,
        world: Callable[[str | None], World] | None = None,
    ) -> None:
        self._program = program
        self._sessions = sessions
        self._home = home
        self._clock = clock
        self._errors = errors
        self._external = hooks
        self._make_world = world or self._disk
        self._worlds: dict[str | None, World] = {}

    def decide(self, event: Event | dict[str, Any], given: dict[str, Any] | None = None) -> Decision:
        """The decision on one event; `given` replaces fields by slot name (tests of policies)."""
        try:
            known = event if type(event) is Event else Event.from_dict(event)
        except EventError as error:
            return failure(event, error.code, str(error), self._digest())
        try:
            return self._decide(known, given)
        except StoreError as error:
            return failure(known.raw, "E-STORE", f"the session's history is not available: {error}", self._digest())
        except Exception as fault:  # a fault of ours must never read as allowed
            return failure(known.raw, "E-INTERNAL", f"{type(fault).__name__}: {fault}", self._digest())

    def _digest(self) -> str:
        try:
            return self._program().digest
        except Exception:
            return ""

    def _decide(self, event: Event, given: dict[str, Any] | None) -> Decision:
        program, errors = self._program(), self._errors()
        if event.time is None:
            event.time = self._clock()
        bucket = program.bucket(event.hook, event.tool_kind)
        if not needs_session(program, bucket, event):
            session = empty_session(event.session)
            decision, _ = self._judge(program, bucket, event, session, errors, given)
            if decision.verdict != "deny" or event.hook not in COMPLETIONS:
                return decision
        session = self._sessions.open(event.session, program)
        try:
            session.begin(event, self.world(event.workspace))
            decision, moment = self._judge(program, bucket, event, session, errors, given)
            decision = completion_budget(program, session, moment, decision)
            if "refused" in program.facts:
                rules = sorted({result.rule for result in decision.rules if RANK[result.verdict] >= RANK["ask"]})
                session.history.observe(refusals(event, rules))
        except BaseException:
            self._sessions.abandon(session)
            raise
        self._sessions.close(session)
        return decision

    def _judge(
        self,
        program: Program,
        bucket: Bucket | None,
        event: Event,
        session: Session,
        errors: tuple[str, ...],
        given: dict[str, Any] | None,
    ) -> tuple[Decision, Moment]:
        moment = Moment(event, self.world(event.workspace), session, given)
        if program.facts and (event.hook in ENDED or event.changes or event.facts):
            session.history.observe(facts_of(event, moment.world, _commands(moment, event)))
        if program.modes:
            update_modes(program, session, moment)
        if program.effects and event.hook == "after_tool":
            note_ended(program, moment)
        if bucket is None:
            return Decision(event.id, event.hook, event.session, "allow", program.digest, (), errors), moment
        spoken: list[RuleResult] = []
        apart: tuple[list[RuleResult], list[RuleResult]] = ([], [])
        timeout = None
        for number in bucket.limits:
            limit = program.rule(number)
            result = limit_result(limit, moment, session)
            if result is not None:
                _file(limit, moment, result, spoken, apart)
        hits = bucket.dispatch(moment)
        if hits:
            timeout = self._rules(program, hits, moment, spoken, apart)
        if bucket.hooks:
            spoken.extend(self._hooks(program, bucket, moment, spoken))
        if not spoken and timeout is None and not apart[0] and not apart[1]:
            return Decision(event.id, event.hook, event.session, "allow", program.digest, (), errors), moment
        return resolve(event, program.digest, spoken, errors, apart[0], apart[1], timeout), moment

    def _rules(
        self,
        program: Program,
        hits: list[int],
        moment: Moment,
        spoken: list[RuleResult],
        apart: tuple[list[RuleResult], list[RuleResult]],
    ) -> int | None:
        timeout: int | None = None
        for number in set(hits) if len(hits) > 1 else hits:
            rule = program.rule(number)
            if not quick(rule, moment):
                continue
            found = outcome_of(rule, moment)
            if found.outcome in (SATISFIED, NOT_APPLICABLE):
                continue
            if rule.effect is not None and found.outcome == "violated" and not rule.shadow:
                budget = timeout_of(rule, moment)
                timeout = budget if timeout is None else max(timeout, budget)
            if rule.verdict or found.outcome == "undecided":
                _file(rule, moment, result_of(rule, moment, found), spoken, apart)
        return timeout

    def _hooks(self, program: Program, bucket: Bucket, moment: Moment, spoken: list[RuleResult]) -> list[RuleResult]:
        """External hooks, in their order, only while the decision is below `deny` (language §11)."""
        from policy_engine.runtime.external import run_in_order

        return run_in_order([program.rule(number) for number in bucket.hooks], moment, spoken, self._external)

    def world(self, workspace: str | None) -> World:
        """The world of a workspace; kept, since resolving it costs system calls."""
        found = self._worlds.get(workspace)
        if found is None:
            if len(self._worlds) > 256:
                self._worlds.clear()
            found = self._worlds[workspace] = self._make_world(workspace)
        return found

    def _disk(self, workspace: str | None) -> World:
        return Disk(workspace, self._home)


ENDED = ("after_tool", "prompt")
_RECORDING = frozenset(("after_tool", "prompt", "after_round", "session_start", "after_verification"))


def needs_session(program: Program, bucket: Bucket | None, event: Event) -> bool:
    """Whether the past is read or written for this event; a stateless policy never opens a store."""
    if bucket is not None and bucket.uses_session:
        return True
    if not program.stateful:
        return False
    return (
        event.hook in _RECORDING
        or event.todos is not None
        or event.goal is not None
        or event.plan is not None
        or "refused" in program.facts
        or event.hook in COMPLETIONS
        or bool(program.modes)
    )


def _commands(moment: Moment, event: Event) -> Any:
    """The parsed line for the facts of a finished shell call, or the reason why there is none."""
    if event.hook != "after_tool" or event.tool_kind != "shell":
        return None
    try:
        return moment.commands
    except Undecided as unknown:
        return unknown


def _file(
    rule: Any,
    moment: Moment,
    result: RuleResult,
    spoken: list[RuleResult],
    apart: tuple[list[RuleResult], list[RuleResult]],
) -> None:
    """Put a result where it counts: waived and shadow rules are reported, never enforced."""
    if rule.waivers and waived(rule, moment):
        apart[0].append(result)
    elif rule.shadow:
        apart[1].append(result)
    else:
        spoken.append(result)


def failure(raw: object, code: str, message: str, policy: str) -> Decision:
    """The failure verdict of an event's point, with the reason in words; for events that could not be decided."""
    record: dict[str, Any] = raw if type(raw) is dict else getattr(raw, "raw", {})
    hook, event, session = (_word(record.get(key)) for key in ("hook", "id", "session"))
    verdict = failure_verdict(record.get("hook"))
    text = f"{code}: {message}"
    result = RuleResult(ENGINE, "undecided", verdict, f"The event could not be decided: {text}.", undecided=(text,))
    return Decision(event, hook, session, verdict, policy, (result,), (text,))


def _word(value: object) -> str:
    return value if type(value) is str else ""

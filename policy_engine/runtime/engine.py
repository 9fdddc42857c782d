"""`Engine`: event in, Decision out; the lean loop around a Program and the sessions' histories.

The bucket of (point, tool kind) finds the rules that the event could concern; if there are none and the past is not
needed, that is the whole decision. Everything else is in judge.py and its neighbours, imported when it is first needed.
Whatever goes wrong becomes the point's failure verdict: `decide` never raises for a user's mistake and never allows by
accident. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.evaluators.context import EvaluationContext
from policy_engine.model.decision import Decision, RuleResult
from policy_engine.model.errors import EventError, StoreError
from policy_engine.model.event import Event
from policy_engine.model.points import COMPLETIONS, ENGINE, RECORDING, failure_verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from policy_engine.evaluators.base import Bucket, Program
    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.model.event_form import EventForm
    from policy_engine.runtime.external import Hooks
    from policy_engine.runtime.session import Session, Sessions
    from policy_engine.runtime.verifying import Due

    Errors = tuple[str, ...]
    Given = dict[str, Any] | None
    InForce = tuple[Program, Errors]

FILESYSTEMS = 256  # workspaces whose canonical path is remembered
_LIVE = 60_000  # ms that a host may take to tell of an event


class Observer:
    """Look at each moment at which an engine decides; an event may be judged twice, and then the latter counts."""

    def before(self, context: EvaluationContext, session: Session) -> None:
        """Look before the rules are asked."""

    def after(self, program: Program, context: EvaluationContext, session: Session, decision: Decision) -> None:
        """Look at what the rules decided."""


class Engine:
    """Decides events against one Program, which `in_force` names anew for every event (a reload swaps it).

    `in_force` gives the Program and what kept a newer one out, as one value; it is called once per event. `sessions`
    keeps histories; `home` is the user's home folder; `clock` gives ms since the epoch; `hooks` says how `hook`
    declarations run (None: they stay undecided).
    """

    told = False
    """Whether every event is one of before, of which the engine is told: the disk is of another time."""
    observer: Observer | None = None

    def __init__(
        self,
        in_force: Callable[[], InForce],
        sessions: Sessions,
        home: str | None,
        clock: Callable[[], int],
        hooks: Hooks | None = None,
        filesystem: Callable[[str | None], FileSystem] | None = None,
    ) -> None:
        self._in_force = in_force
        self._sessions = sessions
        self._home = home
        self._clock = clock
        self._external = hooks
        self._make_filesystem = filesystem or self._disk
        self._filesystems: dict[str | None, FileSystem] = {}

    _read: Callable[[object], Event] = staticmethod(Event.from_dict)
    """Decoded JSON object → Event; a process of many events puts the quicker reader of reading.py here."""

    def decide(self, event: Event | EventForm, given: dict[str, Any] | None = None) -> Decision:
        """The decision on one event; `given` replaces fields by slot name (tests of policies)."""
        known: Any = event
        try:
            if type(known) is not Event:
                known = self._read(known)
            return self._decide(known, given)
        except EventError as error:
            return self._failed(event, error.code, str(error))
        except Exception as fault:  # a fault of ours must never read as allowed
            return self._failed(event, "E-INTERNAL", f"{type(fault).__name__}: {fault}")

    def _failed(self, event: Any, code: str, message: str) -> Decision:
        """The failure verdict. The event is in no history, so its session's past is not complete any more."""
        raw = event if type(event) is dict else getattr(event, "raw", {})
        hook, session = raw.get("hook"), raw.get("session")
        digest = ""
        try:
            program, _ = self._in_force()
            digest = program.digest
            if program.stateful and type(hook) is str and hook in RECORDING and type(session) is str:
                self._sessions.lose(session, _kind(raw))
        except Exception as second:
            message = f"{message}; and then {type(second).__name__}: {second}"
        return failure(event, code, message, digest)

    def _decide(self, event: Event, given: dict[str, Any] | None) -> Decision:
        program, errors = self._in_force_for(event)
        decision = self._by(program, event, errors, given)
        if "observed" in program.facts and self._external is not None and self._external.beside:
            from policy_engine.runtime.observing import heard
            from policy_engine.runtime.resolve import beside

            decision = beside(event, decision, heard(event))
        return decision

    def _by(self, program: Program, event: Event, errors: Errors, given: Given) -> Decision:
        bucket = program.bucket_of(event)
        if (
            budgeted(program, event)
            or (program.stateful and needs_session(program, bucket, event))
            or ("wrote" in program.facts and self._changes_nothing(event))
        ):
            return self._in_session(program, bucket, event, errors, given)
        if self.observer is None and (bucket is None or not bucket.hooks):
            return self._at_once(program, bucket, event, errors, given)
        from policy_engine.runtime.session import empty_session

        context = EvaluationContext(event, self.filesystem, None, given)
        decision = self._judge(program, bucket, context, empty_session(event.session), errors)
        if bucket is not None and bucket.hooks:
            decision = self._hooked(program, bucket, context, decision)
        return decision

    def _changes_nothing(self, event: Event) -> bool:
        """Detect a proposed write of what the file holds already, which the session remembers until it has ended."""
        if event.hook != "before_tool" or event.tool_kind not in ("write", "edit"):
            return False
        from policy_engine.history.unchanged import same_bytes

        return bool(same_bytes(event, self.filesystem(event.workspace))[0])

    def _in_force_for(self, event: Event) -> InForce:
        """The Program that holds for an event."""
        return self._in_force()

    def _at_once(self, program: Program, bucket: Bucket | None, event: Event, errors: Errors, given: Given) -> Decision:
        """Most events end here: no rule could apply, or only rules that read nothing but the event."""
        context = EvaluationContext(event, self.filesystem, None, given)
        hits = bucket.dispatch(context) if bucket is not None else None
        if not hits:
            return Decision(event.id, event.hook, event.session, "allow", program.digest, (), errors)
        from policy_engine.runtime.judge import judge_event

        if event.time is None:
            event.time = self._clock()
        return judge_event(program, hits, context, errors)

    def _in_session(
        self, program: Program, bucket: Bucket | None, event: Event, errors: Errors, given: Given
    ) -> Decision:
        """With the session's history, in one transaction; without the past if it cannot be had or kept."""
        now = self._clock()
        if event.time is None:
            event.time = now
        event.past = self.told or event.time + _LIVE < now
        try:
            return self._recorded(program, bucket, event, errors, given)
        except StoreError as error:
            return self._without_past(program, bucket, event, errors, given, error)

    def _without_past(
        self,
        program: Program,
        bucket: Bucket | None,
        event: Event,
        errors: Errors,
        given: Given,
        error: StoreError,
    ) -> Decision:
        """Rules that need the past are undecided, the others decide; the session has lost this event."""
        from policy_engine.runtime.resolve import beside
        from policy_engine.runtime.session import session_away

        text = f"E-STORE: the session's history is not available: {error}"
        try:
            self._sessions.lose(event.session, _kind(event.raw))
        except StoreError as second:
            text = f"{text}; and it will seem complete: {second}"
        session = session_away(event.session, program)
        session.begin(event, self.filesystem(event.workspace))
        context = EvaluationContext(event, self.filesystem, None, given)
        decision = self._judge(program, bucket, context, session, (*errors, text))
        if event.hook == "prompt":
            from policy_engine.runtime.resolve import never_refused

            decision = never_refused(event, decision)
        waiting = self._due(program, context, session, decision)
        if waiting:
            from policy_engine.runtime.verifying import conclude

            decision = conclude(session, context, decision, waiting)
        if failure_verdict(event.hook) != "warn":
            return decision  # nothing but the rules' own verdicts: those without a past are not touched
        return beside(event, decision, [RuleResult(ENGINE, "undecided", "warn", f"{text}.", undecided=(text,))])

    def _recorded(
        self, program: Program, bucket: Bucket | None, event: Event, errors: Errors, given: Given
    ) -> Decision:
        from policy_engine.runtime.judge import prepare, remember

        context = EvaluationContext(event, self.filesystem, None, given)
        prepare(program, bucket, context)
        session = self._sessions.open(event.session, program, starts_session(event))
        try:
            session.begin(event, self.filesystem(event.workspace))
            if "age" in program.facts and starts_session(event):
                session.note_start(event)
            if "round" in program.facts:
                session.note_turn(event)
            decision = self._judge(program, bucket, context, session, errors)
            waiting = self._due(program, context, session, decision)
            hooked = bucket if bucket is not None and bucket.hooks else None
            if hooked is None and not waiting:
                decision = remember(program, session, context, decision)
            bookmark = session.bookmark()
        except BaseException:
            self._sessions.abandon(session)
            raise
        self._sessions.close(session)
        if hooked is None and not waiting:
            return decision
        # what follows may take minutes: others must not wait for it
        if hooked is not None:
            decision = self._hooked(program, hooked, context, decision)
        waiting = self._verified(waiting, context, decision)
        session = self._sessions.open(event.session, program)
        try:
            session.resume(bookmark)
            if waiting:
                from policy_engine.runtime.verifying import conclude

                decision = conclude(session, context, decision, waiting)
            decision = remember(program, session, context, decision)
        except BaseException:
            self._sessions.abandon(session)
            raise
        self._sessions.close(session)
        return decision

    @staticmethod
    def _due(program: Program, context: EvaluationContext, session: Session, decision: Decision) -> list[Due]:
        if not program.verifies:
            return []
        from policy_engine.runtime.verifying import due

        return due(program, context, session, decision)

    def _verified(self, waiting: list[Due], context: EvaluationContext, decision: Decision) -> list[Due]:
        """The pipelines after their run; without those whose layer's hooks refused meanwhile."""
        if not waiting:
            return []
        from policy_engine.runtime.verifying import run, still_due

        waiting = still_due(waiting, decision)

        # what a stage is asked is part of this decision, and none of those that an engine keeps a log of
        def ask(event: Any) -> Decision:
            return Engine.decide(self, event)

        run(waiting, context, self._external, ask)
        return waiting

    def _hooked(self, program: Program, bucket: Bucket, context: EvaluationContext, decision: Decision) -> Decision:
        from policy_engine.runtime.external import with_hooks

        return with_hooks(program, bucket, context, decision, self._external)

    def _judge(
        self,
        program: Program,
        bucket: Bucket | None,
        context: EvaluationContext,
        session: Session,
        errors: tuple[str, ...],
    ) -> Decision:
        """The decision at one moment, which becomes one of the session."""
        from policy_engine.runtime.judge import judge

        if self.observer is not None:
            self.observer.before(context, session)
        if context.event.time is None:
            context.event.time = self._clock()
        context.join(session)
        decision = judge(program, bucket, context, session, errors)
        if self.observer is not None:
            self.observer.after(program, context, session, decision)
        return decision

    def filesystem(self, workspace: str | None) -> FileSystem:
        """The filesystem of a workspace; kept, since resolving it costs system calls."""
        filesystem = self._filesystems.get(workspace)
        if filesystem is None:
            if len(self._filesystems) > FILESYSTEMS:
                self._filesystems.clear()
            filesystem = self._filesystems[workspace] = self._make_filesystem(workspace)
        return filesystem

    def _disk(self, workspace: str | None) -> FileSystem:
        from policy_engine.filesystem.file_system import Disk

        if workspace is not None and workspace[1:2] == ":":
            from policy_engine.filesystem.drives import Drives

            return Drives(workspace)
        return Disk(workspace, self._home)


def budgeted(program: Program, event: Event) -> bool:
    """Return whether the event concerns the budget of completions: refusals count, acceptance or a prompt clears it."""
    completes = event.hook == "prompt" or event.hook in COMPLETIONS
    return completes and (bool(program.verifies) or any(program.bucket(point, None) for point in COMPLETIONS))


def needs_session(program: Program, bucket: Bucket | None, event: Event) -> bool:
    """Return whether the past is read or written for this event; a stateless policy never opens a store."""
    return (
        (bucket is not None and bucket.uses_session)
        or event.hook in RECORDING
        or event.hook in COMPLETIONS
        or event.hook == "before_verification"
        or event.todos is not None
        or event.goal is not None
        or event.plan is not None
        or event.usage is not None
        or event.changes is not None
        or event.facts is not None
        or (bool(program.facts) and _asked(program.facts, event))
        or bool(program.modes)
    )


def _asked(facts: frozenset[str], event: Event) -> bool:
    """Return whether the event shows a fact that the session keeps for the rules."""
    return (
        "refused" in facts
        or ("round" in facts and event.hook == "before_tool")
        or ("age" in facts and starts_session(event))
        or ("tests" in facts and event.hook == "before_tool" and _may_move_files(event.shell_line))
    )


def _may_move_files(line: str | None) -> bool:
    """Return whether git may move the work tree, whose files are compared when they are back (returned.py)."""
    if line is None or "git" not in line:
        return False
    from policy_engine.history.returned import may_move

    return may_move(line)


def starts_session(event: Event) -> bool:
    """Return whether the session has no past; one that is taken up again, or goes on after a compaction, has."""
    return event.hook == "session_start" and event.raw.get("source") in (None, "startup", "clear")


def failure(raw: object, code: str, message: str, policy: str) -> Decision:
    """The failure verdict of an event's point, with the reason in words; for events that could not be decided."""
    record: dict[str, Any] = raw if type(raw) is dict else getattr(raw, "raw", {})
    hook, event, session = (_word(record.get(key)) for key in ("hook", "id", "session"))
    verdict = failure_verdict(record.get("hook"))
    text = f"{code}: {message}"
    result = RuleResult(ENGINE, "undecided", verdict, f"The event could not be decided: {text}.", undecided=(text,))
    return Decision(event, hook, session, verdict, policy, (result,), (text,))


def _kind(raw: object) -> bytes:
    from policy_engine.history.doubt import missed_kind

    return missed_kind(raw)


def _word(value: object) -> str:
    return value if type(value) is str else ""

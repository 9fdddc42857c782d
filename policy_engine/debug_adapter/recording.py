"""Record how rules are evaluated at an event, as the places at which a debugger can stop, in their order.

The rules are asked through their traced twins, as `policy explain` asks them; the connectives and leaves of these are
noted wherever they are called, each member of a quantifier included. Nothing is added to how the engine decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from policy_engine import bootstrap
from policy_engine.checker import tree
from policy_engine.checker.tree import CheckedRule, CheckedStep, CheckedTest, Place
from policy_engine.compiler.emit import walk
from policy_engine.debug_adapter.values import Value, looked_at, undecided, value_of
from policy_engine.deciding import TryingEngine
from policy_engine.evaluators import trace
from policy_engine.evaluators.base import Program
from policy_engine.evaluators.context import EvaluationContext
from policy_engine.evaluators.trace import Seen
from policy_engine.history.ledger import ledger
from policy_engine.loading.loader import Loaded, words
from policy_engine.loading.reloader import Reloader
from policy_engine.model.action import action_of
from policy_engine.model.decision import Decision
from policy_engine.model.event import Event
from policy_engine.model.field_names import slot
from policy_engine.model.ladder import RANK
from policy_engine.model.types import ListType, Type
from policy_engine.model.undecided import Undecided
from policy_engine.runtime.engine import Observer
from policy_engine.runtime.explanation import CLAUSES
from policy_engine.runtime.external import Hooks, nobody
from policy_engine.runtime.rule_results import outcome_of
from policy_engine.runtime.session import MemorySessions, Session
from policy_engine.testing.question import is_value
from policy_engine.testing.scenario import play
from policy_engine.testing.stage import Stage
from policy_engine.testing.trials import Speaker, Trial, Trials, trial_of

LABEL = 80  # characters
_CONNECTIVES = ("every_of", "any_of", "negated", "quantified", "leaf")
_ENDS = {"when": "false", "unless": "true"}  # a clause that comes to this ends the rule
_TRUTHS = {True: "true", False: "false"}


@dataclass(slots=True)
class Stop:
    """One place: an event, a rule, a condition, or what one of the former came to.

    `around` is the stop of which it is a part, `node` the condition, `said` what a person is told when it is passed.
    """

    label: str
    place: Place | None
    around: Stop | None = None
    here: Value = field(default_factory=lambda: Value(""))
    node: tree.Expr | None = None
    refuses: bool = False
    said: str = ""

    @property
    def depth(self) -> int:
        return sum(1 for _ in self.chain())

    @property
    def line(self) -> tuple[str, int] | None:
        """Return the name of the file and the line."""
        return (self.place.source.name, self.place.source.position(self.place.span.start)[0]) if self.place else None

    def chain(self) -> Iterator[Stop]:
        """Yield it and what is around it, outwards."""
        yield self
        if self.around is not None:
            yield from self.around.chain()

    def asked(self) -> Value:
        """Return the answer to a question: a truth with what led to it, or a value."""
        if is_value(self.node):
            absent = Value("absent") if self.here.text == "false" else self.here
            return self.here.parts[0][1] if self.here.text == "true" and self.here.parts else absent
        return self.here


@dataclass(slots=True)
class Moment:
    """One event with its stops, none if nothing listens; `fields` are what rules could read, `past` what is known."""

    event: Event
    fields: Value
    past: Value
    stops: list[Stop]


class Recorder:
    """Watches moments; `step` is that of a test which is played."""

    def __init__(self) -> None:
        self.moments: list[Moment] = []
        self.step: CheckedStep | None = None
        self._last: Moment | None = None
        self._stops: list[Stop] = []
        self._around: Stop | None = None
        self._clause_at: tuple[str, tree.Expr]
        self._bound: dict[str, Value] = {}
        self._kinds: dict[str, Type] = {}
        self._noting = {name: self._noted(name, getattr(trace, name)) for name in _CONNECTIVES}

    def watch(self, trial: Trial, context: EvaluationContext, decision: Decision) -> list[tuple[str, str]]:
        """Ask each rule that listens again, and note how it is evaluated."""
        trial.program.names.update(self._noting)
        place = self.step.place if self.step is not None else None
        expected = self.step.expect if self.step is not None else ""
        expects = (("expected", Value(expected)),) if expected else ()
        here = Value("", (("decision", Value(decision.word)), *expects))
        label = f"{decision.hook}  {action_of(context.event.raw, LABEL)}"
        event, self._stops = Stop(label, place, here=here), []
        listening = [trial.speakers[one] for one in trial.listening(context.event)]
        for speaker in sorted(listening, key=lambda one: (one.place.source.name, one.place.span)):
            self._rule(speaker, trial, context, decision, event)
        said = f"{label}: {decision.word}{f', expected {expected}' if expected else ''}"
        said = "\n  ".join((said, *decision.errors))
        stops = [event, *self._stops, Stop(f"decision  {decision.word}", place, here=here, said=said)]
        known = words().fields
        fields = [(name, looked_at(partial(getattr, context, slot(name)), known[name].type)) for name in known]
        session = getattr(context, "session", None)
        past = value_of(ledger(session.history.state) if session is not None else {})
        present = tuple((name, value) for name, value in fields if value.text != "absent")
        self._last = Moment(context.event, Value("", present), past, stops if self._stops else [])
        return []

    def count(self, outcomes: list[tuple[str, str]]) -> None:
        """Keep the last look at an event."""
        self.moments += [self._last] if self._last is not None else []
        self._last = None

    def _rule(
        self, speaker: Speaker, trial: Trial, context: EvaluationContext, decision: Decision, event: Stop
    ) -> None:
        spec = trial.specs[speaker.id]
        outcome = outcome_of(spec, context).outcome.replace("_", " ")
        rule = Stop(f"{spec.kind} {speaker.id}", speaker.place, event, Value("", (("outcome", Value(outcome)),)))
        self._stops.append(rule)
        *thunks, named = spec.function("trace")(context)
        for word, thunk in zip(CLAUSES, thunks if named is None or named() else (), strict=False):
            if thunk is not None and self._clause(word, getattr(speaker, word), thunk, rule) == _ENDS.get(word):
                break
        results = (*decision.rules, *decision.waived, *decision.shadow, *decision.approved)
        result = next((one for one in results if one.rule == speaker.id), None)
        said = [] if result is None else [
            ("verdict", result.verdict), ("message", result.message), ("undecided", list(result.undecided)),
            ("to pass", list(result.satisfy)), ("evidence", list(result.evidence)),
        ]  # fmt: skip
        here = (*rule.here.parts, *((name, value_of(raw)) for name, raw in said if raw))
        message = getattr(speaker, "message", None)
        label = f"{outcome}{f' → {result.verdict}' if result is not None else ''}"
        at = message.place if message is not None and result is not None else speaker.place
        refuses = result is not None and RANK[result.verdict] >= RANK["ask"]
        self._stops.append(Stop(label, at, rule, Value(outcome, here), None, refuses, f"  {speaker.id}: {label}"))

    def _clause(self, word: str, node: tree.Expr, thunk: Callable[[], Seen], rule: Stop) -> str:
        """Note one clause of a rule; return what it came to."""
        found = ((one.variable, one.source.type) for one in walk(node) if isinstance(one, tree.Quantified))
        self._kinds = {name: kind.element for name, kind in found if isinstance(kind, ListType)}
        number, self._around, self._bound, self._clause_at = len(self._stops), rule, {}, (word, node)
        try:
            thunk()
        finally:
            self._around = None
        return self._stops[number].here.text

    def _noted(self, name: str, connective: Callable[..., Seen]) -> Callable[..., Seen]:
        def noted(text: str, *more: Any) -> Seen:
            around = self._around
            if around is None:
                return connective(text, *more)
            word, root = self._clause_at if around.node is None else ("", around.node)
            node = next((one for one in walk(root) if one.place.text == text), root)
            label = " ".join(f"{word} {text}".split())
            label = label if len(label) <= LABEL else f"{label[: LABEL - 1]}…"
            stop = Stop(label, node.place, around, node=node)
            bound, number = tuple(self._bound.items()), len(self._stops)
            self._stops.append(stop)
            self._around = stop
            try:
                seen = connective(text, *(self._members(text, *more) if name == "quantified" else more))
            finally:
                self._around = around
            looked = ((name, raw) for _, values in seen.because if not seen.parts for name, raw in values.items())
            values = tuple((name, value_of(raw)) for name, raw in looked)
            inner = tuple((one.label, one.here) for one in self._stops[number:] if one.around is stop)
            came = Value(_TRUTHS[seen.truth]) if seen.truth is not None else undecided(seen.reasons)
            stop.here = Value(came.text, (*values, *bound, *inner))
            return seen

        return noted

    def _members(self, text: str, kind: str, binding: int, source: Any, where: Any, body: Any) -> tuple[Any, ...]:
        """Return the arguments of a quantifier so that its variable is known while a member is looked at."""
        name = text.split()[1]

        def knowing(look: Callable[[Any], Seen]) -> Callable[[Any], Seen]:
            def known(member: Any) -> Seen:
                before = self._bound
                self._bound = {**before, name: looked_at(lambda: member, self._kinds.get(name))}
                try:
                    return look(member)
                finally:
                    self._bound = before

            return known

        return kind, binding, source, knowing(where) if where is not None else None, knowing(body)


def record_test(test: CheckedTest, trials: Trials, asked: CheckedRule | None = None) -> list[Moment]:
    """Record all events of a test; a step that cannot be played ends it. `asked` is a rule more."""
    recorder = Recorder()
    stage = Stage(trials.of(test) if asked is None else trials.beside(test, asked), watcher=recorder)
    for recorder.step in test.steps:
        try:
            play(recorder.step, stage)
        except Undecided:
            break
    return recorder.moments


def record_event(events: Iterable[Any], loaded: Loaded) -> list[Moment]:
    """Decide the events of a session and record the last."""
    assert loaded.policy is not None
    trial, recorder = trial_of(loaded.policy, loaded.digest), Recorder()
    reloader = Reloader.fixed(bootstrap.adapt(replace(loaded, program=trial.program)))
    engine = TryingEngine(reloader, MemorySessions(), hooks=Hooks({}, nobody, bootstrap.stage_runner()))
    *earlier, last = events
    for event in earlier:
        engine.decide(event)
    engine.observer = _Looking(trial, recorder)
    engine.decide(last)
    recorder.count([])
    return recorder.moments


class _Looking(Observer):
    """Shows each moment to the recorder."""

    def __init__(self, trial: Trial, recorder: Recorder) -> None:
        self._trial, self._recorder = trial, recorder

    def after(self, program: Program, context: EvaluationContext, session: Session, decision: Decision) -> None:
        self._recorder.watch(self._trial, context, decision)

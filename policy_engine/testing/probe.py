"""Decide an event with the engine, and record what the watched rules saw.

The watched rules are asked through their traced twins at the moment of the decision, before the event enters the
history, so that a test that fails can say why a rule did not speak.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from policy_engine.evaluators.trace import Seen
from policy_engine.filesystem.file_system import FileSystem
from policy_engine.model.decision import Decision
from policy_engine.runtime.engine import Engine, Observer
from policy_engine.runtime.external import Hooks, everybody
from policy_engine.runtime.rule_results import outcome_of
from policy_engine.runtime.session import MemorySessions, Session
from policy_engine.testing.trials import Trial

if TYPE_CHECKING:
    from policy_engine.evaluators.base import Program
    from policy_engine.evaluators.context import EvaluationContext


class Watcher(Protocol):
    """Look at each moment at which something is decided."""

    def watch(self, trial: Trial, context: EvaluationContext, decision: Decision) -> list[tuple[str, str]]:
        """Look at a moment; an event may be judged twice, and then the latter counts."""

    def count(self, outcomes: list[tuple[str, str]]) -> None:
        """Take what the last look at an event returned as what counts."""


@dataclass(frozen=True, slots=True)
class Sight:
    """The result of a watched rule at one event."""

    rule: str
    outcome: str
    seen: Seen


@dataclass(frozen=True, slots=True)
class StepResult:
    """One event and the answer to it; a rule that does not listen there has no sight."""

    event: dict[str, Any]
    decision: Decision
    sights: tuple[Sight, ...]


class GivenSession(Session):
    """A session in which modes and counts of limits may be given; `counters` by dotted name, an Undecided is raised."""

    __slots__ = ("_counters",)

    def __init__(self, session: Session, counters: dict[str, Any]) -> None:
        super().__init__(session.id, session.history)
        self._counters = counters

    def mode(self, name: str) -> bool:
        given = self._given(f"mode.{name}")
        return super().mode(name) if given is None else bool(given)

    def limit_count(self, name: str, now: int | None = None) -> int:
        given = self._given(f"limit.{name}.count")
        return super().limit_count(name, now) if given is None else int(given)

    def limit_count_of(self, name: str, parts: tuple[Any, ...], now: int | None = None) -> int:
        given = self._given(f"limit.{name}.count")
        return super().limit_count_of(name, parts, now) if given is None else int(given)

    def _given(self, name: str) -> Any:
        value = self._counters.get(name)
        if isinstance(value, Exception):
            raise value
        return value


class GivenSessions(MemorySessions):
    """The one session of a test."""

    __slots__ = ("_counters",)

    def __init__(self, counters: dict[str, Any]) -> None:
        super().__init__()
        self._counters = counters

    def open(self, session: str, program: Program, starts: bool = False) -> Session:
        return GivenSession(super().open(session, program, starts), self._counters)


class Probe(Engine):
    """The engine of one test. `watched` rules are explained at every event; `watcher` sees every moment."""

    def __init__(
        self,
        trial: Trial,
        counters: dict[str, Any],
        filesystem: Callable[[str | None], FileSystem],
        watched: frozenset[str],
        watcher: Watcher | None,
    ) -> None:
        hooks = Hooks(None, everybody, lambda stage, folder: _stage(stage, trial.program, counters), rehearsed=counters)
        super().__init__(lambda: (trial.program, ()), GivenSessions(counters), None, lambda: 0, hooks, filesystem)
        self._trial = trial
        self._watcher = watcher
        self._looking = self.observer = _Looking(trial, watched, watcher)

    def ask(self, event: Any, given: dict[str, Any] | None) -> StepResult:
        """Decide one canonical event."""
        looking = self._looking
        looking.sights, looking.outcomes = (), []
        decision = self.decide(event, given)
        if self._watcher is not None:
            self._watcher.count(looking.outcomes)
        return StepResult(event, decision, looking.sights)

    def listens(self, point: str, kind: str | None = None) -> bool:
        """Return whether anything of the trial listens at a point."""
        program = self._trial.program
        return program.bucket(point, kind) is not None or (point == "session_start" and "age" in program.facts)


class _Looking(Observer):
    """Asks the watched rules, and shows the moment to the watcher."""

    def __init__(self, trial: Trial, watched: frozenset[str], watcher: Watcher | None) -> None:
        self._trial, self._watched, self._watcher = trial, watched, watcher
        self.outcomes: list[tuple[str, str]] = []
        self.sights: tuple[Sight, ...] = ()

    def after(self, program: Program, context: EvaluationContext, session: Session, decision: Decision) -> None:
        sights = []
        for name in sorted(self._watched & set(self._trial.listening(context.event))):
            outcome = outcome_of(self._trial.specs[name], context)
            sights.append(Sight(name, outcome.outcome, outcome.seen))
        self.sights = tuple(sights)
        if self._watcher is not None:
            self.outcomes = self._watcher.watch(self._trial, context, decision)


_TOLD = "verification."


def _stage(stage: tuple[Any, ...], program: Program, counters: dict[str, Any]) -> dict[str, Any]:
    """Return what a stage would do: pass, unless the test says otherwise of it, or of a pipeline that it begins."""
    names = [str(stage[0]), *(spec[0] for spec in program.verifies if spec[12][0][0] == stage)]
    outcomes = [counters[f"verified.{name}"] for name in names if f"verified.{name}" in counters]
    outcome = "passed"
    if any(isinstance(one, Exception) for one in outcomes):
        outcome = "not_started"
    elif False in outcomes:
        outcome = "failed"
    stage_result = {"stage": stage[0], "command": " ".join(stage[1]), "outcome": outcome}
    values = {name.removeprefix(_TOLD): value for name, value in counters.items() if name.startswith(_TOLD)}
    known = {key: value for key, value in values.items() if not isinstance(value, Exception)}
    return stage_result if outcome == "passed" else {**stage_result, **known}

"""Policy text and raw events → what the engine and the reference say of each, in a comparable form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from policy_engine.bootstrap import Engine, adapt
from policy_engine.checker.tree import CheckedPolicy
from policy_engine.evaluators.base import Program
from policy_engine.evaluators.context import EvaluationContext
from policy_engine.loading.loader import Loaded, load_text
from policy_engine.loading.reloader import Reloader
from policy_engine.model.decision import Decision, RuleResult
from policy_engine.model.event import Event
from policy_engine.model.layers import prefix
from policy_engine.runtime.engine import Observer
from policy_engine.runtime.explanation import ExplainingEngine
from tests.generated.events import Worlds
from tests.generated.policies import Generated
from tests.reference.interpreter import Answer, Reference, decide_layers


def loaded(text: str) -> Loaded:
    """The policy; one that does not check is a mistake of the generator."""
    found = load_text(text)
    assert found.errors == (), [f"{error.location}: {error.message} ({error.help})" for error in found.errors] + [text]
    return found


def written(policy: Generated) -> CheckedPolicy:
    """The policy as the reference reads it: without short forms, as the generator and not the checker wrote it out."""
    found = loaded(policy.long_text).policy
    assert found is not None
    return found


def engine(policy: Loaded | str, worlds: Worlds, program: Program | None = None, **options: Any) -> Explaining:
    """An engine over one policy, in these worlds; `program` replaces the one that was loaded."""
    policy = loaded(policy) if isinstance(policy, str) else policy
    policy = adapt(policy) if program is None else replace(policy, program=program)
    return Explaining(Reloader.fixed(policy), home="/home/user", filesystem=worlds, **options)


class Explaining(ExplainingEngine, Engine):
    """An engine that can also explain."""


class Watched(Engine, Observer):
    """An engine that shows each moment after it was judged, while its session is still open."""

    look: Callable[[Watched, EvaluationContext], None] = staticmethod(lambda engine, context: None)

    def after(self, program: Program, context: EvaluationContext, session: Any, decision: Decision) -> None:
        self.look(self, context)


def watched(
    policy: Loaded, events: list[dict[str, Any]], look: Any = lambda engine, context: None, scanner: Any = None
) -> list[Decision]:
    """As `decided`; whatever `look` raises fails the test."""
    worlds = Worlds()
    made = Watched(Reloader.fixed(adapt(policy)), home="/home/user", filesystem=worlds)
    made.observer = made
    if scanner is not None:
        made.program.names["scanner"] = scanner
    faults: list[BaseException] = []

    def guarded(engine: Watched, context: EvaluationContext) -> None:
        try:
            look(engine, context)
        except BaseException as fault:  # the engine would turn it into a verdict
            faults.append(fault)

    made.look = guarded  # type: ignore[method-assign]
    decisions = []
    for raw in events:
        worlds.happened(raw)
        decisions.append(made.decide(raw))
        if faults:
            raise faults[0]
    return decisions


def bare(results: tuple[RuleResult, ...]) -> frozenset[Any]:
    return frozenset((result.rule, result.outcome, result.verdict) for result in results)


def answer(decision: Decision) -> Answer:
    """A decision without its words."""
    named = bare(decision.rules), bare(decision.waived), bare(decision.shadow), bare(decision.approved)
    return Answer(decision.verdict, decision.stop_reason, *named)


def decided(policy: Loaded | str, events: list[dict[str, Any]], **options: Any) -> list[Decision]:
    """What one engine says of the events of a session."""
    worlds = Worlds()
    made = engine(policy, worlds, **options)
    decisions = []
    for raw in events:
        worlds.happened(raw)
        decisions.append(made.decide(raw))
    return decisions


def referred(policy: CheckedPolicy, events: list[dict[str, Any]]) -> list[Answer]:
    """What the reference says of them."""
    return referred_layers([("repository", policy)], events)


def referred_layers(policies: Sequence[tuple[str, CheckedPolicy]], events: list[dict[str, Any]]) -> list[Answer]:
    """What the reference says under several layers, the strongest first."""
    worlds = Worlds()
    layers = [(prefix(layer), Reference(policy, worlds("/workspace"))) for layer, policy in policies]
    answers = []
    for raw in events:
        worlds.happened(raw)
        event = Event.from_dict(raw)
        for _, layer in layers:
            layer.filesystem = worlds(event.workspace)
        answers.append(decide_layers(layers, event))
    return answers

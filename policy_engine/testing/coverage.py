"""Measure what tests or recorded sessions cover: which rules were violated, satisfied or never asked, and which
conditions were true and false.

Every rule that listens at an event is asked through its traced twin, whatever the index says, and the leaves of its
conditions are noted wherever they are evaluated, each member of a quantifier included. Leaves of the same words in one
rule are one condition.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from policy_engine.checker import tree
from policy_engine.evaluators import trace
from policy_engine.evaluators.trace import Seen
from policy_engine.model.decision import Decision
from policy_engine.runtime.rule_results import NOT_APPLICABLE, SATISFIED, UNDECIDED, VIOLATED, outcome_of
from policy_engine.testing.trials import Trial

if TYPE_CHECKING:
    from policy_engine.evaluators.context import EvaluationContext

Covered = tree.CheckedRule | tree.CheckedLimit
Noted = dict[str, tuple[dict[str, int], dict[str, frozenset[bool | None]]]]
"""By rule: how many events had which outcome, and which truths a condition was seen to have."""
TRUTHS = (True, False, None)


@dataclass(slots=True)
class ConditionCover:
    """A leaf of a rule's conditions and the truths that it was seen to have; None is undecided."""

    place: tree.Place
    seen: set[bool | None] = field(default_factory=set)

    @property
    def text(self) -> str:
        return " ".join(self.place.text.split())


@dataclass(slots=True)
class RuleCover:
    """One rule or limit; `outcomes` counts events by outcome, of a limit those at which it spoke as violated."""

    id: str
    place: tree.Place
    obligation: bool
    outcomes: Counter[str] = field(default_factory=Counter)
    conditions: dict[str, ConditionCover] = field(default_factory=dict)

    @property
    def events(self) -> int:
        """Return how many events it was asked about."""
        return self.outcomes.total()

    def goals(self) -> Iterator[tuple[tree.Place, str, bool]]:
        """Yield what a complete suite shows: (place, in words what is missing if it is, whether it was reached)."""
        yield self.place, "never violated" if self.events else "never asked", self.outcomes[VIOLATED] > 0
        if self.obligation:
            yield self.place, "never satisfied", self.outcomes[SATISFIED] > 0
        for condition in self.conditions.values():
            for truth in (True, False):
                word = "true" if truth else "false"
                yield condition.place, f"`{condition.text}` never {word}", truth in condition.seen


class Coverage:
    """Collects over all tests of a run; `files` are the names of the policy files that count."""

    def __init__(self, policy: tree.CheckedPolicy, files: frozenset[str]) -> None:
        self.rules: dict[str, RuleCover] = {}
        self._asked = ""
        rules: tuple[Covered, ...] = (*policy.rules, *policy.limits)
        for rule in sorted(rules, key=lambda one: one.id):
            if rule.place.source.name in files:
                self.rules[rule.id] = _cover(rule)

    def count(self, outcomes: list[tuple[str, str]]) -> None:
        """Note the outcomes of one event, as (rule, outcome)."""
        for name, outcome in outcomes:
            self.rules[name].outcomes[outcome] += 1

    def take(self) -> Noted:
        """Return what was noted since the last call, and forget it, so that it can be added to another coverage."""
        noted: Noted = {}
        for rule in self.rules.values():
            seen = {text: frozenset(one.seen) for text, one in rule.conditions.items() if one.seen}
            if rule.outcomes or seen:
                noted[rule.id] = dict(rule.outcomes), seen
            rule.outcomes = Counter()
            for one in rule.conditions.values():
                one.seen = set()
        return noted

    def add(self, noted: Noted) -> None:
        """Add what another coverage of the same policy noted."""
        for name, (outcomes, seen) in noted.items():
            rule = self.rules[name]
            rule.outcomes.update(outcomes)
            for text, truths in seen.items():
                rule.conditions[text].seen |= truths

    def watch(self, trial: Trial, context: EvaluationContext, decision: Decision) -> list[tuple[str, str]]:
        """Ask every rule that listens at the moment. The trial's leaves report here from now on."""
        outcomes = []
        trial.program.names["leaf"] = self._leaf
        for name in trial.listening(context.event):
            if name not in self.rules:
                continue
            self._asked = name
            outcome = outcome_of(trial.specs[name], context).outcome
            self._asked = ""
            if isinstance(trial.speakers[name], tree.CheckedLimit):
                outcome = _said(name, decision)
            outcomes.append((name, outcome))
        return outcomes

    def _leaf(self, text: str, thunk: Callable[[], Any], *more: Any) -> Seen:
        """Stands in for the connectives' own `leaf`."""
        value = trace.leaf(text, thunk, *more)
        condition = self.rules[self._asked].conditions.get(text) if self._asked else None
        if condition is not None:
            condition.seen.add(value.truth)
        return value

    @property
    def goals(self) -> int:
        """Return how much there is to see."""
        return sum(1 for rule in self.rules.values() for _ in rule.goals())

    @property
    def reached(self) -> int:
        """Return how much of it was seen."""
        return sum(reached for rule in self.rules.values() for _, _, reached in rule.goals())

    @property
    def percent(self) -> float:
        """Reached of all goals, rounded down to a tenth: 100 means all. Nothing to see is 100."""
        return self.reached * 1000 // self.goals / 10 if self.goals else 100.0

    def missing(self) -> list[tuple[str, str, str]]:
        """(location, rule, words) of what was not seen, in the order of rules."""
        missing = []
        for rule in self.rules.values():
            goals = [(place, words) for place, words, reached in rule.goals() if not reached]
            if not rule.events:
                goals = [(rule.place, "never asked: there is no event at which it listens")]
            missing += [(place.location, rule.id, words) for place, words in goals]
        return missing

    def to_dict(self) -> dict[str, Any]:
        """The JSON form, keys in a fixed order."""
        return {
            "percent": self.percent,
            "goals": self.goals,
            "reached": self.reached,
            "rules": [_plain(rule) for rule in self.rules.values()],
        }


def _plain(rule: RuleCover) -> dict[str, Any]:
    outcomes = (VIOLATED, SATISFIED, NOT_APPLICABLE, UNDECIDED)
    return {
        "rule": rule.id,
        "at": rule.place.location,
        "events": rule.events,
        **{outcome: rule.outcomes[outcome] for outcome in outcomes},
        "conditions": [
            {
                "expr": condition.text,
                "at": condition.place.location,
                **{
                    word: truth in condition.seen
                    for word, truth in zip(("true", "false", "undecided"), TRUTHS, strict=True)
                },
            }
            for condition in rule.conditions.values()
        ],
    }


def _said(limit: str, decision: Decision) -> str:
    spoken = (*decision.rules, *decision.shadow, *decision.waived)
    return next((result.outcome for result in spoken if result.rule == limit), NOT_APPLICABLE)


def _cover(rule: Covered) -> RuleCover:
    require = rule.require if isinstance(rule, tree.CheckedRule) else None
    cover = RuleCover(rule.id, rule.place, require is not None)
    for part in (rule.when, rule.unless, require):
        for leaf in leaves(part) if part is not None else ():
            cover.conditions.setdefault(leaf.place.text, ConditionCover(leaf.place))
    return cover


def leaves(node: tree.Expr) -> Iterator[tree.Expr]:
    """The conditions without connectives that a condition is made of, as the traced twin evaluates them."""
    match node:
        case tree.And() | tree.Or() if not tree.is_made(node):
            for operand in node.operands:
                yield from leaves(operand)
        case tree.Not():
            yield from leaves(node.operand)
        case tree.Quantified():
            yield from _inner(node.source)
            if node.where is not None:
                yield from leaves(node.where)
            yield from leaves(node.body)
        case tree.Constant():
            return
        case tree.And() | tree.Or():
            yield node
        case _:
            yield node
            yield from _inner(node)


def _inner(node: tree.Expr) -> Iterator[tree.Expr]:
    """Conditions that stand below a node where a value is needed, such as the body of a `count`."""
    for name in node.__dataclass_fields__:
        value = getattr(node, name)
        for part in value if isinstance(value, tuple) and not isinstance(value, tree.Place) else (value,):
            if isinstance(part, tree.And | tree.Or | tree.Not | tree.Quantified):
                yield from leaves(part)
            elif isinstance(part, tree.Expr):
                yield from _inner(part)

"""Count how often recorded events show each difference of a comparison, and what else they show."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from policy_engine.model.action import action_of
from policy_engine.model.decision import Decision
from policy_engine.model.event import Event
from policy_engine.model.points import ENGINE
from policy_engine.model.replayed import Replayed
from policy_engine.testing.witness import OLD, Comparison, Difference, direction

MOST = 1_000  # differences that only recordings show, told apart
Other = tuple[str, str, str, str, str, str]
"""A difference that only recordings show: its point, kind of tool, direction, both verdicts and the rule."""


@dataclass(frozen=True, slots=True)
class Changed:
    """A recorded event that two policies decide otherwise; `place` is `file:line`."""

    event: dict[str, Any]
    place: str
    old: Decision
    new: Decision


@dataclass(slots=True)
class Seen:
    """Count the events that show a difference, with the first action that does."""

    times: int = 0
    place: str = ""
    action: str = ""

    def add(self, changed: Changed) -> None:
        """Count an event."""
        if not self.times:
            self.place, self.action = changed.place, action_of(changed.event)
        self.times += 1


@dataclass(slots=True)
class Recordings:
    """Count what recordings show of a comparison: `of` each of its differences, by number, and of `others`.

    `more` counts events of differences past MOST.
    """

    summed: Replayed
    of: dict[int, Seen] = field(default_factory=dict)
    others: dict[Other, Seen] = field(default_factory=dict)
    more: int = 0

    def count(self, comparison: Comparison, changes: Iterable[Changed]) -> None:
        """Count events, each for the difference that the same rule makes at the same point in the same direction."""
        for changed in changes:
            event = Event.from_dict(changed.event)
            number = next((n for n, one in enumerate(comparison.differences) if _shows(changed, event, one)), None)
            if number is not None:
                self.of.setdefault(number, Seen()).add(changed)
                continue
            old, new = changed.old.word, changed.new.word
            kind = str(event.tool_kind or "")
            other = (str(event.hook), kind, direction(old, new), old, new, next(_speaking(changed), ENGINE))
            if other in self.others or len(self.others) < MOST:
                self.others.setdefault(other, Seen()).add(changed)
            else:
                self.more += 1


def _shows(changed: Changed, event: Event, one: Difference) -> bool:
    """Detect whether an event shows a difference."""
    spoken = changed.old if one.side == OLD else changed.new
    return (
        one.point == event.hook
        and (not one.kind or one.kind in event.tool_kinds)
        and one.direction == direction(changed.old.word, changed.new.word)
        and (getattr(one.item, "id", "") or getattr(one.item, "name", "")) in _rules(spoken)
    )


def _rules(decision: Decision) -> Iterator[str]:
    """Yield the rules that give a verdict."""
    yield from (rule.rule for rule in decision.rules if rule.verdict == decision.verdict)
    yield from (rule.rule for rule in decision.approved)


def _speaking(changed: Changed) -> Iterator[str]:
    """Yield the rules of the stricter verdict, else of the other."""
    for decision in (changed.old, changed.new):
        yield from _rules(decision)

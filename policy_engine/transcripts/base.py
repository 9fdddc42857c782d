"""What a transcript is: JSON lines of one form → the canonical events that they record, in order.

A member file holds `TRANSCRIPT`, a `Transcript`. Nothing is kept but what a later line needs, so that a long recording
streams. A line that holds no event gives none; one that cannot be read gives its EventError, so that it is counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

from policy_engine.model import family
from policy_engine.model.errors import ConfigurationError, EventError

FAMILY = "policy_engine.transcripts"
LOOKED_AT = 50  # objects of no known form, until a recording is given up
Line = tuple[int, "dict[str, Any] | EventError"]


@dataclass(frozen=True, slots=True)
class Recorded:
    """One event at a line; `then` the decision that was recorded with it, `whole` that the event is as it was then.

    `event` is None for an event that could not be decided and is not in the record. `seen` is what the engine itself
    warned of and saw outside of the event, `held` what it said of the run: outcome, verdict, message and reason.
    """

    line: int
    event: dict[str, Any] | EventError | None
    then: dict[str, Any] | None = None
    whole: bool = True
    seen: str = ""
    held: tuple[tuple[str, str, str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Transcript:
    """A form of recordings: `knows` an object of its own, `events` reads the lines."""

    name: str
    knows: Callable[[dict[str, Any]], bool]
    events: Callable[[Iterable[Line]], Iterator[Recorded]]


def recorded(lines: Iterable[Line], name: str, strict: bool = True) -> Iterator[Recorded]:
    """Yield the events of a recording in whatever form its first object of a known form shows.

    Nothing is read ahead of what is yielded once that object was seen. Without `strict` the first object decides, and
    what no form knows is taken for a canonical event, to be refused as such.

    Raises:
        ConfigurationError: `strict`, and none of the first objects is of a known form, or no line is an object.
    """
    forms = family.members(FAMILY, Transcript)
    before: list[Line] = []
    rest = iter(lines)
    number = 0
    for number, value in rest:
        if isinstance(value, EventError):
            yield Recorded(number, value)
            continue
        form = next((each for each in forms if each.knows(value)), None)
        if form is not None:
            yield from form.events(chain(before, ((number, value),), rest))
            return
        before.append((number, value))
        if not strict:
            yield from (Recorded(*line) for line in chain(before, rest))
            return
        if len(before) >= LOOKED_AT:
            break
    if strict and number:
        known = ", ".join(form.name for form in forms)
        raise ConfigurationError(f"`{name}` is no recording of a known form: {known}; no line of it is an event")

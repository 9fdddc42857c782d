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


def recorded(lines: Iterable[Line], name: str) -> Iterator[Recorded]:
    """The events of a recording in whatever form its first objects show. Raises ConfigurationError for none of them."""
    forms = family.members(FAMILY, Transcript)
    seen: list[Line] = []
    rest = iter(lines)
    for line in rest:
        seen.append(line)
        value = line[1]
        if isinstance(value, EventError):
            continue
        for form in forms:
            if form.knows(value):
                yield from form.events(chain(seen, rest))
                return
        break
    if any(not isinstance(value, EventError) for _, value in seen):
        known = ", ".join(form.name for form in forms)
        raise ConfigurationError(f"`{name}` is no recording of a known form: {known}")
    for number, value in seen:
        yield Recorded(number, value)

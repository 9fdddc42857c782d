"""How often something happened: the state of a `count(A, within: …, since: B)`, one change per event.

An event counts once, however many of its facts match. Without a window the state is a number; with one it is a ring of
at most WINDOW_EVENTS entries, and the count saturates there. What may or may not have happened blurs the count until a
reset or the window leaves it behind. Imported by the hook path.

State: `[count, blur, low, ring, event]`; `blur` None or `(time, round)` of the latest doubt, `low` the count since a
reset that may have been, ring entries `(time, round)`, `event` the id of the latest that counted.
"""

from __future__ import annotations

from policy_engine.model.limits import WINDOW_EVENTS
from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.history.marks import Mark

COUNT, BLUR, LOW, RING, EVENT = range(5)


def fresh_count(unknown_past: tuple[int, int] | None = None) -> list[Any]:
    """A count at 0; `unknown_past` = (time, round) if what happened up to then was not seen."""
    return [0, unknown_past, 0, [], ""]


def advance(state: list[Any], happened: Mark, reset: Mark, now: int | None, round_: int, event: str) -> None:
    """One event: the marks of its matches and of its resets, within the event. A match and a reset at once: reset."""
    sure, possible = happened
    reset_sure, reset_possible = reset
    if reset_sure:
        state[:] = fresh_count()
    doubted = reset_possible > reset_sure
    if doubted:
        state[BLUR], state[LOW] = (now, round_), 0
    if sure > reset_sure:
        state[COUNT] += 1
        state[LOW] += not doubted or sure > reset_possible
        state[RING].append((now, round_))
        state[EVENT] = event
    elif possible > reset_sure:
        state[BLUR] = (now, round_)


def prune(state: list[Any], within: int, rounds: int, now: int | None, round_: int) -> None:
    """Forget what has left the window; without one, keep no entries at all."""
    ring = state[RING]
    if not within and not rounds:
        ring.clear()
    elif rounds or now is not None:
        ring[:] = [entry for entry in ring if entry[0] is None or _inside(entry, within, rounds, now, round_)]
    del ring[:-WINDOW_EVENTS]


def bounds(state: list[Any], within: int, rounds: int, now: int | None, round_: int) -> tuple[int, int | None]:
    """The least and the greatest that the count can be (None: no bound). Raises Undecided without a time."""
    if not within and not rounds:
        return (state[COUNT], state[COUNT]) if state[BLUR] is None else (state[LOW], None)
    count = sum(_inside(entry, within, rounds, now, round_) for entry in state[RING])
    if state[BLUR] is None or not _inside(state[BLUR], within, rounds, now, round_):
        return count, count
    return min(count, state[LOW]), None


def _inside(entry: tuple[int | None, int], within: int, rounds: int, now: int | None, round_: int) -> bool:
    """Whether an entry lies in the window that ends now; a clock that went backwards keeps it in."""
    time, in_round = entry
    if rounds:
        return in_round > round_ - rounds
    if now is None or time is None:
        raise Undecided("an event without `time` cannot be placed in a window")
    return now - time <= within

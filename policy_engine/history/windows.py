"""Count occurrences in a window: the state of a `count(A, within: …, since: B)`, one change per event.

An event counts once, however many of its facts match. What may or may not have happened, a match or a reset, gives a
least and a greatest count. Without a window the state is these two numbers; with one it is a ring of at most
WINDOW_EVENTS entries, and the count saturates there. Imported by the hook path.

State: `[least, most, unseen, ring, event]`; `unseen` None or the `(time, round)` up to which the past was not seen (no
greatest count until a reset or the window leaves it behind), ring entries `(time, round, counts for certain)`, `event`
the id of the latest that counted.
"""

from __future__ import annotations

from policy_engine.model.limits import WINDOW_EVENTS
from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.history.marks import Mark

SKEW_MS = 60_000  # by which processes that decide at once may record their events in another order
LEAST, MOST, UNSEEN, RING, EVENT = range(5)


def fresh_count(unknown_past: tuple[int | None, int] | None = None) -> list[Any]:
    """Return a count at 0; `unknown_past` = (time, round) if what happened up to then was not seen."""
    return [0, 0, unknown_past, [], ""]


def advance(state: list[Any], happened: Mark, reset: Mark, now: int | None, round_: int, event: str) -> bool:
    """Apply one event: the marks of its matches and of its resets, within the event. A match and a reset at once:
    reset.

    Gives whether the event may count.
    """
    sure, possible = happened
    reset_sure, reset_possible = reset
    if reset_sure:
        state[:] = fresh_count()
    if reset_possible > reset_sure:  # nothing before it counts for certain any more
        state[LEAST] = 0
        state[RING] = [(time, in_round, False) for time, in_round, _ in state[RING]]
    counts = max(sure, possible) > reset_sure
    if counts:
        certain = sure > max(reset_sure, reset_possible)
        state[LEAST] += certain
        state[MOST] += 1
        state[RING].append((now, round_, certain))
    if sure > reset_sure:
        state[EVENT] = event
    return counts


def withdraw(state: list[Any], now: int | None, round_: int) -> None:
    """Withdraw the possible count of the event at hand, which is about to count for certain: it counts once."""
    state[MOST] -= 1
    ring = state[RING]
    for place in reversed(range(len(ring))):  # others may have come while its hooks ran
        if tuple(ring[place]) == (now, round_, False):
            del ring[place]
            break


def prune(state: list[Any], within: int, rounds: int, now: int | None, round_: int) -> None:
    """Forget what has left the window; without one, keep no entries at all."""
    ring = state[RING]
    if not within and not rounds:
        ring.clear()
    elif rounds or now is not None:
        ring[:] = [entry for entry in ring if entry[0] is None or _inside(entry, within, rounds, now, round_)]
    del ring[:-WINDOW_EVENTS]


def bounds(state: list[Any], within: int, rounds: int, now: int | None, round_: int) -> tuple[int, int | None]:
    """Return the least and the greatest that the count can be (None: no bound). Raises Undecided without a time."""
    least, most, unseen = state[LEAST], state[MOST], state[UNSEEN]
    if within or rounds:
        inside = [entry for entry in state[RING] if _inside(entry, within, rounds, now, round_)]
        certain = [entry[2] and not (within and _ahead(entry, now)) for entry in inside]
        least, most = sum(certain), len(certain)
        if unseen is not None and not _inside(unseen, within, rounds, now, round_):
            unseen = None
    return least, most if unseen is None else None


def _inside(entry: tuple[Any, ...], within: int, rounds: int, now: int | None, round_: int) -> bool:
    """Return whether an entry may lie in the window that ends now; a clock that went backwards keeps it in."""
    time, in_round = entry[0], entry[1]
    if rounds:
        return bool(in_round > round_ - rounds)
    if now is None or time is None:
        raise Undecided("an event without `time` cannot be placed in a window")
    return bool(now - time <= within)


def _ahead(entry: tuple[Any, ...], now: int | None) -> bool:
    """Return whether the clock was set back since: how long ago it was is not known any more."""
    return now is not None and entry[0] is not None and bool(entry[0] - now > SKEW_MS)

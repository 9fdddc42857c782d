"""State machines of `limit`: repeats of a tuple, counts of events; plain values in, the new count out.

Every function works on a state inside one room of the history (`History.room("limits")`): `slot` finds it by limit,
agent and `by` key. Events that fail `when`, and key parts that are undecided, never reach these functions. Imported by
the hook path.
"""

from __future__ import annotations

from policy_engine.history import windows
from policy_engine.model.limits import LIMIT_KEYS
from policy_engine.model.undecided import ABSENT, Undecided
from policy_engine.state.private_key import keyed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


def key_of(parts: Sequence[Any], secret: bytes) -> str:
    """Return the digest of a tuple of values of the language; absent parts are equal, `1` is not `true`."""
    return keyed(secret, "\n".join(map(_canonical, parts)))


def is_part(value: Any) -> bool:
    """Return whether an event has this part of a key: a prompt has no paths."""
    return value is not ABSENT and value is not None and not (type(value) in (list, tuple) and not value)


def _canonical(value: Any) -> str:
    if value is ABSENT:
        return "absent"
    kind = type(value)
    if value is None or kind in (bool, int, float, str):
        return f"{kind.__name__}:{value!r}"
    if kind in (list, tuple):
        return "[" + ",".join(map(_canonical, value)) + "]"
    if kind is dict:
        return "{" + ",".join(f"{name!r}:{_canonical(value[name])}" for name in sorted(value)) + "}"
    real = getattr(value, "real", None)
    if type(real) is str:
        return f"path:{real!r}"
    text = getattr(value, "text", None)
    if type(text) is str:
        return f"text:{text!r}"
    raise Undecided(f"a {kind.__name__} cannot be part of a limit's key")


def slot(namespace: dict[str, Any], limit: str, agent: str, by: str, fresh: list[Any]) -> list[Any]:
    """Return the state of one limit for one agent and one `by` key; `fresh` if there is none yet, or only that of a
    limit of the other measure which had this name before the policy changed.
    """
    states = namespace.setdefault(f"{limit}\0{agent}", {})
    counter = states.pop(by, None)
    if counter is None or len(counter) != len(fresh):
        counter = fresh
    states[by] = counter
    if len(states) > LIMIT_KEYS:
        del states[next(iter(states))]
    return counter  # type: ignore[no-any-return]


def start_all_again(namespace: dict[str, Any], limit: str, agent: str) -> None:
    """Start the counts of every `by` key again."""
    namespace.pop(f"{limit}\0{agent}", None)


def known(namespace: dict[str, Any], limit: str, agent: str, by: str) -> bool:
    """Return whether there is a state of this limit, agent and `by` key."""
    return by in namespace.get(f"{limit}\0{agent}", {})


def latest(namespace: dict[str, Any], limit: str, agent: str) -> list[Any]:
    """Return the state of the `by` key that was used last."""
    states = namespace[f"{limit}\0{agent}"]
    return states[next(reversed(states))]  # type: ignore[no-any-return]


def fresh_repeats() -> list[Any]:
    """State of `repeats`: the latest keys, and per period the length of the run that ends now."""
    return [[], []]


def repeat(state: list[Any], key: str, period: int) -> int:
    """Record one more event with this key. Return how often the last cycle of at most `period` events has come in a
    row.

    Period 1: A, A, A is 3. Period 2: A, B, A, B is 2 (and A, A, A still 3).
    """
    recent, lengths = state
    lengths.extend([0] * (period - len(lengths)))
    for number in range(1, period + 1):
        if len(recent) >= number and recent[-number] == key:
            lengths[number - 1] += 1
        else:
            lengths[number - 1] = min(number, len(recent) + 1)
    recent.append(key)
    del recent[:-period]
    return repeats(state)


def start_again(state: list[Any]) -> int:
    """Start the count again: the run is broken, whatever comes next."""
    state[:] = fresh_repeats()
    return 0


def repeats(state: list[Any]) -> int:
    """Return the present count."""
    return max((length // number for number, length in enumerate(state[1], 1)), default=0)


def fresh_tally() -> list[Any]:
    """State of `counts`."""
    return windows.fresh_count()


def tally(
    state: list[Any],
    happened: bool,
    reset: bool,
    within: int,
    rounds: int,
    now: int | None,
    round_: int,
    event: str = "",
) -> int:
    """Record one event. Return how many counted in the window (ms, or rounds; 0 none) since the reset; a reset wins."""
    windows.advance(state, (int(happened), 0), (int(reset), 0), now, round_, event)
    windows.prune(state, within, rounds, now, round_)
    return tallied(state, within, rounds, now, round_)


def tallied(state: list[Any], within: int, rounds: int, now: int | None, round_: int) -> int:
    """Return the present count.

    Raises Undecided if a window in ms holds events without a time, or ones after which the clock was set back: how long
    ago they were nobody knows, and a limit that left them out would begin anew.
    """
    least, most = windows.bounds(state, within, rounds, now, round_)
    if least != most:
        raise Undecided("the clock was set back: how often it happened in the window is not known")
    return least


def reached(count: int, steps: Sequence[tuple[int, bool]]) -> int | None:
    """Return the number of the step that speaks: of those reached the one with the highest count; None if none is.

    A step is `(count, every)`: `at 3` speaks from 3 on, `at every 3` at 3, 6, 9 only.
    """
    best: int | None = None
    for number, (least, every) in enumerate(steps):
        speaks = count % least == 0 and count > 0 if every else count >= least
        if speaks and (best is None or least >= steps[best][0]):
            best = number
    return best

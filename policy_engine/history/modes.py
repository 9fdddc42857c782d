"""`mode`: a state with hysteresis, per agent; one step per event, plain values in the room "modes" of the history.

Entered as soon as `enter` holds. Left when `exit` (without one: not `enter`) has held without a break for `dwell` whole
rounds, and not before `lock` rounds have passed since it was entered. What is undecided changes nothing and breaks no
run. Imported by the hook path.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_ACTIVE, _ENTERED, _LEAVING = range(3)


def mode_slot(namespace: dict[str, Any], mode: str, agent: str) -> list[Any]:
    """Return the state of a mode for an agent: `[active, round of entry, round since which exit holds or -1]`."""
    entry: list[Any] = namespace.setdefault(f"{mode}\0{agent}", [False, 0, -1])
    return entry


def mode_step(state: list[Any], enter: bool | None, leave: bool | None, round_: int, lock: int, dwell: int) -> bool:
    """Apply one event at which `enter` and `exit` had these values (None: undecided). Return whether the mode is now
    on.
    """
    if not state[_ACTIVE]:
        if enter:
            state[:] = [True, round_, -1]
        return bool(state[_ACTIVE])
    if leave is False:
        state[_LEAVING] = -1
    elif leave:
        if state[_LEAVING] < 0:
            state[_LEAVING] = round_
        if round_ - state[_LEAVING] >= dwell and round_ - state[_ENTERED] >= lock:
            state[:] = [False, 0, -1]
    return bool(state[_ACTIVE])

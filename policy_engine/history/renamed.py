"""Carry counts over a change of the policies that renames what they watch.

A count whose atoms name a declaration has another key when a session retains that declaration under another id, or has
it back. Its past stays the same. Everything else that is renamed is learned from the table of names.
"""

from __future__ import annotations

from _blake2 import blake2b

from policy_engine.history.monitors import FOLLOWED, followed, is_followed
from policy_engine.model.layers import is_retained, plain, retained

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from policy_engine.history.monitors import AtomSpec, MonitorSpec

NAMESPACE = "retained"
"""The room with the `owners`: (sort, id) of what the session retained when it was last asked."""
NAMED = ("refused", "verified")  # atoms that name a declaration


def monitor_key(parts: object) -> str:
    """Return the key of a monitor with this form, atoms and extra."""
    return blake2b(repr(parts).encode(), digest_size=12).hexdigest()


def in_order(atoms: Iterable[AtomSpec]) -> tuple[AtomSpec, ...]:
    """Return the order in which atoms stand in a spec."""
    return tuple(sorted(atoms, key=repr))


def carry_counts(state: dict[str, Any], specs: tuple[MonitorSpec, ...]) -> None:
    """Give each new count of `specs` the state that it has in `state` under the names of before the change.

    A monitor that was there already, under this key or an earlier one, and never saw anything, goes on knowing that.
    """
    monitors, owners = state["monitors"], set(state["rooms"].get(NAMESPACE, {}).get("owners", ()))
    still = [spec for spec in specs if is_followed(spec[0], monitors)]
    named = {atom[1] for spec in specs if spec[1] == "count" for atom in (*spec[2], *spec[3][2]) if atom[0] in NAMED}

    def before(atom: AtomSpec) -> AtomSpec:
        kind, name, value = atom
        if kind not in NAMED:
            return atom
        if is_retained(name):
            return atom if (kind, plain(name)) in owners else (kind, plain(name), value)
        back = (kind, name) in owners and retained(name) not in named
        return (kind, retained(name), value) if back else atom

    for spec in specs:
        key, form, atoms, extra = spec
        if form != "count" or monitors.get(key) is not None:
            continue
        earlier = (form, in_order(map(before, atoms)), (*extra[:2], in_order(map(before, extra[2]))))
        monitor = monitors.get(monitor_key(earlier))
        if monitor is not None:
            monitors[key] = [[*part] if type(part) is list else part for part in monitor]
        elif is_followed(monitor_key(earlier), monitors):
            still.append(spec)
    monitors[FOLLOWED] = followed(still)

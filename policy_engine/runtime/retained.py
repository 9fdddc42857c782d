"""Move the state of declarations between their own ids and those under which a session retains them.

When the policies change, what a session retains is renamed (model/layers.py); what it counted, entered, refused and
proved goes along, and comes back when the policies do. Imported by the hook path where a policy changed in a session.
"""

from __future__ import annotations

from policy_engine.history.renamed import NAMESPACE
from policy_engine.model.layers import LAYERS, REPOSITORY, RETAINED, is_retained, prefix, retained

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.evaluators.base import Program
    from policy_engine.history.recorder import Recorder

_ROOMS = {"limit": ("limits", "counts"), "mode": ("modes",)}
"""Sort of a declaration: the rooms of the history with an entry for each agent, `id\\0agent`."""


def move_state(program: Program, history: Recorder) -> None:
    """Bring the state of a session up to what its Program retains; once per change of the policies."""
    namespace = history.namespace(NAMESPACE)
    before, now = set(namespace.get("owners", ())), set(program.retained)
    if before == now:
        return
    for sort, name in sorted(now - before):
        _copy(history, sort, name, retained(name))
    _budgets(history.namespace("budget"), bool(before), bool(now))
    for sort, name in sorted(before - now):
        _copy(history, sort, retained(name), name)
    namespace["owners"] = program.retained
    history.dirty = True


def _budgets(namespace: dict[str, Any], before: bool, now: bool) -> None:
    """Refused completions are counted twice while something is retained: as things are, and as they were."""
    if now and not before:
        for layer in LAYERS:
            for slot in [slot for slot in namespace if slot.startswith(prefix(layer)) and not is_retained(slot)]:
                if layer != REPOSITORY or "/" not in slot:
                    namespace[prefix(layer) + RETAINED + slot.removeprefix(prefix(layer))] = _copied(namespace[slot])
    if before and not now:
        for slot in [slot for slot in namespace if is_retained(slot)]:
            del namespace[slot]


def _copy(history: Recorder, sort: str, old: str, new: str) -> None:
    from policy_engine.history.verification import NAMESPACE as VERIFY

    for name in _ROOMS.get(sort, ()):
        namespace = history.namespace(name)
        start = f"{old}\0"
        for key in [key for key in namespace if key.startswith(start)]:
            namespace[f"{new}\0{key[len(start) :]}"] = _copied(namespace[key])
    if sort in ("refused", "verified"):
        entry = history.state["tables"]["names"].get(f"{sort}\0{old}")
        if entry is not None:
            history.state["tables"]["names"][f"{sort}\0{new}"] = list(entry)
    if sort == "refused" and f"timeout {old}" in history.state["rooms"]:
        history.namespace(f"timeout {new}").update(_copied(history.namespace(f"timeout {old}")))
    if sort == "verified":
        failed = history.namespace(VERIFY).setdefault("failed", {})
        if old in failed:
            failed[new] = failed[old]


def _copied(value: Any) -> Any:
    """The same plain value, of which nothing is shared."""
    if type(value) is dict:
        return {key: _copied(one) for key, one in value.items()}
    return [_copied(one) for one in value] if type(value) is list else value

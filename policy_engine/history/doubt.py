"""Track which answers about the past are in doubt after missed events, and what settles the doubt.

A missed event may have proved anything that an event of its kind can. So at its position whatever it may have proved is
possible and no more: evidence that comes later is sure again (history/marks.py), and a comparison of the workspace
with the snapshot from before says what was really written and deleted. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.history import windows
from policy_engine.history.monitors import COMMAND_KINDS, FOLLOWED, PATH_KINDS, POSSIBLE, SURE, TESTS, all_atoms
from policy_engine.history.snapshot import any_matching
from policy_engine.history.suite import NAMESPACE
from policy_engine.history.tables import MISSED, RETURNED, UNSETTLED
from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.history.recorder import Recorder
    from policy_engine.history.snapshot import Snapshot

WRITTEN = ("wrote", "deleted")
ANY, SAID, ROUND, START, TOOL, PROMPT, VERIFICATION, OTHER = b"?", b"d", b"r", b"s", b"t", b"p", b"v", b"o"
"""What a missed event was, one byte each; ANY: nobody knows, SAID: it said something about todos, goal or plan."""
_ALL_PROVE = frozenset((*PATH_KINDS, *COMMAND_KINDS, TESTS, "called", "tool_fact", "refused", "prompted", "verified"))
_ALL_SAY = ("goal", "plan", "resumed", "round", "rounds", "steps", "todos", "turn", "usage")
_PROVES = {
    SAID: _ALL_PROVE,
    ROUND: _ALL_PROVE,
    START: frozenset(("refused",)),
    TOOL: frozenset((*PATH_KINDS, *COMMAND_KINDS, TESTS, "called", "tool_fact", "refused")),
    PROMPT: frozenset(("prompted", "refused")),
    VERIFICATION: frozenset(("verified", "refused")),
    OTHER: frozenset(("refused",)),
}
_SAYS = {
    SAID: _ALL_SAY,
    ROUND: ("round", "rounds", "steps", "turn", "usage"),
    START: ("resumed",),
    TOOL: ("round", "steps"),
    PROMPT: ("goal", "turn"),
    VERIFICATION: (),
    OTHER: (),
}
_HOOKS = {
    "after_round": ROUND,
    "session_start": START,
    "after_tool": TOOL,
    "prompt": PROMPT,
    "after_verification": VERIFICATION,
}
_SAYING = ("todos", "todo_changes", "goal", "plan", "usage", "facts", "changes")


def missed_kind(raw: object) -> bytes:
    """Return what is known of an event that could not be recorded, as one byte."""
    if type(raw) is not dict or type(raw.get("hook")) is not str:
        return ANY
    if any(raw.get(key) is not None for key in _SAYING):
        return SAID
    return _HOOKS.get(raw["hook"], OTHER)


def miss(history: Recorder, kinds: bytes) -> None:
    """Mark what missed events of these kinds (b"": unknown kinds) may have proved as possible, at the present
    moment.
    """
    known = kinds and all(bytes((kind,)) in _PROVES for kind in kinds)
    groups = [bytes((kind,)) for kind in kinds] if known else []
    proves = frozenset().union(*(_PROVES[kind] for kind in groups)) if known else _ALL_PROVE
    says = {name for kind in groups for name in _SAYS[kind]} if known else set(_ALL_SAY)
    history.state["rooms"].pop(RETURNED, None)
    at = history.tick()
    history.namespace(NAMESPACE)["acted"] = True  # a call that may write, for all that is known
    tables = history.state["tables"]
    if "ran" in proves:
        tables["command_floor"] = at
        tables["path_floor"] = [tables["path_floor"][0], at, tables["path_floor"][2]]
    tables["name_floor"] = at
    for number, spec in enumerate(history.specs):
        if spec[1] != "changed" and any(kind in proves and kind not in WRITTEN for kind, _, _ in all_atoms(spec)):
            _put_in_doubt(history, number, at, proves)
    if "wrote" in proves:
        doubt_paths(history)
    statements = history.namespace("said")
    statements["unsure"] = sorted({*statements.get("unsure", ()), *says, "modes"})
    statements.pop("modes", None)
    if SAID in kinds:
        statements.setdefault("todos", None)  # there may be some: a prompt does not end this doubt
    history.dirty = True


def doubt_paths(history: Recorder) -> None:
    """Mark every path as possibly written or deleted from now on, until `settle`."""
    history.state["rooms"].pop(RETURNED, None)  # what a moment before gives back would end the doubt
    at = history.tick()
    kept = history.namespace(UNSETTLED)
    tables = history.state["tables"]
    before = kept.get("at")
    floors, states = kept.setdefault("floors", {}), kept.setdefault("states", {})
    for column in (0, 2):
        if column not in floors or tables["path_floor"][column] != before:
            floors[column] = tables["path_floor"][column]
    tables["path_floor"] = [at, tables["path_floor"][1], at]
    monitored = {each for kind in WRITTEN for found in history.index.get(kind, {}).values() for each in found}
    for number, place in monitored:
        _keep(history, number, place, states, before)
    for number in {number for number, _ in monitored}:
        _put_in_doubt(history, number, at, WRITTEN)
    kept["at"] = at
    history.dirty = True


def settle(history: Recorder) -> None:
    """Take the doubt about paths back: a comparison with the snapshot from before showed every other write."""
    kept = history.state["rooms"].pop(UNSETTLED, None)
    if kept is None:
        return
    at, tables = kept["at"], history.state["tables"]
    floor = tables["path_floor"]
    tables["path_floor"] = [
        kept["floors"][column] if column in kept["floors"] and value == at else value
        for column, value in enumerate(floor)
    ]
    for number, spec in enumerate(history.specs):
        for place in range(len(all_atoms(spec))):
            old = kept["states"].get(f"{spec[0]} {place}")
            if old is not None:
                _restore(history, number, place, old, at)
    history.dirty = True


def settle_absent(history: Recorder, snapshot: Snapshot) -> None:
    """Settle the doubt without a snapshot from before: what no file of the workspace matches was not written."""
    history.state["rooms"].pop(UNSETTLED, None)
    for number, spec in enumerate(history.specs):
        if spec[1] in ("latest", "last"):
            _settle_absent(history, number, snapshot)
    history.dirty = True


def _settle_absent(history: Recorder, number: int, snapshot: Snapshot) -> None:
    states = None
    for place, (kind, pattern, _) in enumerate(history.specs[number][2]):
        if kind != "wrote":
            continue
        states = history.stored(number)
        if states[place][POSSIBLE] <= states[place][SURE]:
            continue
        try:
            if not any_matching(snapshot, pattern, history.known_filesystem):
                states[place][POSSIBLE] = 0
        except Undecided:
            continue


def accept(state: dict[str, Any]) -> None:
    """End every doubt of this state, because a person says that nothing else happened in the session."""
    tables, statements = state["tables"], state["rooms"].setdefault("said", {})
    tables.update(path_floor=[0, 0, 0], command_floor=0, name_floor=0, deep=[], dark=[])
    state["joining"], state["joined"] = False, None
    for name in (UNSETTLED, MISSED):
        state["rooms"].pop(name, None)
    for name in ("unsure", "modes", "lost", "uncounted"):
        statements.pop(name, None)
    monitors = state["monitors"]
    for key, states in list(monitors.items()):
        if key == FOLLOWED:
            continue
        if states and type(states[0]) is list:
            for atom in states:
                atom[POSSIBLE] = 0
        elif states:
            states[windows.UNSEEN] = None
        monitors[key] = states


def _put_in_doubt(history: Recorder, number: int, at: int, kinds: Any) -> None:
    spec, states = history.specs[number], history.stored(number)
    if spec[1] == "count":
        states[windows.UNSEEN] = history.moment()
        return
    for (kind, _, _), state in zip(spec[2], states, strict=True):
        if kind in kinds:
            state[POSSIBLE] = at


def _keep(history: Recorder, number: int, place: int, states: dict[str, Any], before: int | None) -> None:
    """Remember what `settle` gives back, unless it is remembered already and nothing came in between."""
    spec = history.specs[number]
    key, now = f"{spec[0]} {place}", history.stored(number)
    value = now[windows.UNSEEN] if spec[1] == "count" else now[place][POSSIBLE]
    if key not in states or (spec[1] != "count" and value != before):
        states[key] = [value]


def _restore(history: Recorder, number: int, place: int, old: list[Any], at: int) -> None:
    states = history.stored(number)
    if history.specs[number][1] == "count":
        states[windows.UNSEEN] = old[0]
    elif states[place][POSSIBLE] == at:
        states[place][POSSIBLE] = old[0]

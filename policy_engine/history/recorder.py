"""Record the facts of a session event by event: the writing half of `History`.

State is one marshallable dictionary: `snapshot`, `restore`. A reload keeps the state of every monitor whose key is
still there and drops the others. A monitor that joins a running session learns what it missed from the tables of
paths, commands and names; a count learns whether there is anything that it missed, and is then undecided until a reset
or its window leaves that behind. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.history import tables, tested, windows
from policy_engine.history.bulk import split_bulk
from policy_engine.history.facts import Fact
from policy_engine.history.late_writes import will_write
from policy_engine.history.marks import NEVER, either
from policy_engine.history.monitors import (
    COMMAND_KINDS,
    FOLLOWED,
    MAYBE,
    PATH_KINDS,
    TESTS,
    YES,
    all_atoms,
    candidates,
    enter,
    followed,
    fresh,
    is_followed,
    monitor_index,
    record_of,
    verdict,
)  # fmt: skip
from policy_engine.history.stored_table import retain
from policy_engine.history.suite import COMMIT, NAMESPACE, keep_shown
from policy_engine.history.unbuilt import note_unbuilt
from policy_engine.history.work_trees import note_trees
from policy_engine.model.limits import EVENT_PATHS
from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, Self

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.history.bulk import Bulk
    from policy_engine.history.marks import Mark
    from policy_engine.history.monitors import AtomSpec, MonitorSpec, Place
    from policy_engine.model.event import Event

FORMAT = 6
CALLS = "calls"
"""The room with the moments at which the latest calls ended, by call."""
_CALLS = 32
_REPLAYS = 64
_AGENTS = 256


def agent_key(event: Event) -> str:
    """Whose limits, modes and rounds: the main agent, or one sub-agent by kind and name."""
    return "main" if event.agent_kind == "main" else f"{event.agent_kind}\0{event.agent_name}"


class Recorder:
    """The writing half of `History`. `key` is that of the digests which stand for text; `shown` makes of a text what
    may be kept of it to be shown; `dirty` says that the state changed since it was made or `snapshot` was taken."""

    __slots__ = (
        "specs",
        "state",
        "dirty",
        "event",
        "filesystem",
        "time",
        "key",
        "shown",
        "_index",
        "_happened",
        "_replayed",
        "_counted",
    )

    def __init__(
        self,
        specs: Sequence[MonitorSpec] = (),
        digest: str = "",
        index: dict[str, dict[str, list[Place]]] | None = None,
        lost: bool = False,
    ) -> None:
        """Begin a session. `digest` names the set of specs; `index` is `monitor_index(specs)` if it is at hand
        already; `lost` says that the session has a past that was not kept.
        """
        self.specs = tuple(specs)
        self._index = index
        self.dirty = False
        self.event: Event | None = None
        self.filesystem: FileSystem | None = None
        self.time: int | None = None
        self.key = b""
        self.shown: Callable[[str], str] = str
        self._happened: dict[int, bool] = {}
        self._counted: dict[int, bool] = {}  # count → whether the event at hand counted for certain
        self._replayed: bool | None = None
        floor = 1 if lost else 0
        self.state: dict[str, Any] = {
            "format": FORMAT, "digest": digest, "clock": floor, "events": 0, "joined": None, "joining": lost,
            "monitors": {} if lost else {FOLLOWED: followed(self.specs)}, "tables": tables.empty_tables(floor),
            "rounds": {}, "replays": [], "rooms": {},
        }  # fmt: skip

    @classmethod
    def restore(
        cls,
        specs: Sequence[MonitorSpec],
        state: dict[str, Any] | None,
        digest: str = "",
        index: dict[str, dict[str, list[Place]]] | None = None,
    ) -> Self:
        """Restore a session from its snapshot. None or another format: its past is lost."""
        if state is None or state.get("format") != FORMAT:
            return cls(specs, digest, index, lost=True)
        self = cls(specs, digest, index)
        self.state = state
        if state["digest"] != digest:
            from policy_engine.history.renamed import carry_counts

            carry_counts(state, self.specs)
            retain(state["monitors"], {FOLLOWED, *(spec[0] for spec in self.specs)})
            state["digest"] = digest
            state["joining"] = bool(state["events"] or state["joining"] or state["joined"])
            self.dirty = True
        return self

    def snapshot(self) -> dict[str, Any]:
        """Return the state, plain values only; not a copy."""
        self.dirty = False
        return self.state

    def begin(self, event: Event, filesystem: FileSystem) -> None:
        """Once per event, before `observe`: the time and the rounds move on. A round ends after its `after_round`."""
        self.event, self.filesystem, self.time = event, filesystem, event.time
        self._happened, self._replayed, self._counted = {}, None, {}
        if "began" not in self.state:
            self.state["began"] = event.time
        if self.state["rooms"].get(NAMESPACE, {}).pop("now", None):
            self.dirty = True
        rounds, agent = self.state["rounds"], agent_key(event)
        for entry in rounds.values():
            if entry[1]:  # whoever's event this is, what ended is over
                entry[:] = [entry[0] + 1, False]
                self.dirty = True
        if event.hook == "after_round":
            rounds.setdefault(agent, [0, False])[1] = True
            while len(rounds) > _AGENTS:
                del rounds[next(name for name in rounds if name != "main")]
            self.dirty = True
        missed = self.state["rooms"].pop(tables.MISSED, None)
        if missed is not None:
            from policy_engine.history.doubt import miss

            miss(self, missed["kinds"])
        if self.state["joining"]:
            self.state["joining"], self.state["joined"] = False, self.moment()
            self.dirty = True

    @property
    def unsettled(self) -> bool:
        """Return whether a comparison of the workspace would say what was written (doubt.py)."""
        return tables.UNSETTLED in self.state["rooms"]

    @property
    def incomplete(self) -> bool:
        """Return whether any path may have been written unseen."""
        return bool(self.state["tables"]["path_floor"][0]) or self.unsettled

    def bookmark(self) -> tuple[Any, ...]:
        """Return what is known of the event at hand, for `resume` when the session was given back meanwhile."""
        return self.event, self.filesystem, self.time, self._happened, self._replayed, self._counted

    def resume(self, bookmark: tuple[Any, ...]) -> None:
        """Go on with the event of the bookmark: it is no new one."""
        self.event, self.filesystem, self.time, self._happened, self._replayed, self._counted = bookmark

    def round_of(self, agent: str) -> int:
        """Return how many rounds of this agent are over; windows in rounds go by the main agent's."""
        entry = self.state["rounds"].get(agent)
        return 0 if entry is None else int(entry[0])

    def namespace(self, name: str) -> dict[str, Any]:
        """Return a part of the state for one user (limits, modes, …); plain values only. Set `dirty` when changing
        it.
        """
        table: dict[str, Any] = self.state["rooms"].setdefault(name, {})
        return table

    def moment(self) -> tuple[int | None, int]:
        return self.time, self.round_of("main")

    # ---- writing -------------------------------------------------------------------------------------------------

    def tick(self) -> int:
        """Return a moment of its own, later than all that happened, for facts that will turn out to be true of it."""
        self.state["clock"] += 1
        self.dirty = True
        return int(self.state["clock"])

    def observe(self, facts: Iterable[Fact], at: int = 0) -> None:
        """Enter facts of the event at hand; `at` is the moment, given by `tick`, of which they are true.

        A call that was reported before, with the same ids, changes nothing.
        """
        facts = tuple(facts)
        event, state = self.event, self.state
        if event is None or self.replayed(event):
            return
        began = self._began(event) if event.hook == "after_tool" and not at else None
        if not facts:
            return
        self.dirty = True
        first = state["clock"] + 1
        early = first + any(fact.early for fact in facts)
        first, early, late = (at, at, at) if at else (first, early, early + 1)
        state["clock"] = max(state["clock"], late)
        state["events"] += 1
        name = event.id or f"#{state['events']}"
        beside = event.raw.get("beside")
        tested.note_span(facts, self.namespace(NAMESPACE), 0 if beside else state.get("last"), self.time)
        state["last"] = self.time
        facts += tuple(will_write(facts, event, self.filesystem))
        if tables.RETURNED in state["rooms"]:
            from policy_engine.history.returned import note_away

            note_away(facts, self)
        for fact in facts:
            if fact.early:
                self._note_test_file(fact)
        if "tests" in self.index:
            note_trees(facts, self.namespace(NAMESPACE), self.known_filesystem)
        if any(map(tested.is_judged, facts)):
            tested.judge(
                facts, self.namespace(NAMESPACE), tables.Written(state["tables"]), self.known_filesystem, self.time,
                None if event.past else state.get("began"),
            )  # fmt: skip
        if "tests" in self.index:
            note_unbuilt(facts, self.namespace(NAMESPACE))
        counted: dict[int, list[list[int]]] = {}
        single, bulks = split_bulk(facts, EVENT_PATHS) if len(facts) > EVENT_PATHS else (facts, [])
        for fact in single:
            sequence = first if fact.early else _context_of(fact, early, late, began)
            for number, place in candidates(self.index, fact, self.known_filesystem):
                self._enter(number, place, fact, sequence, name, counted)
        for bulk in bulks:
            self._enter_bulk(bulk, _moment_of(bulk, first, early, late), name, counted)
        for number, (matches, resets) in counted.items():
            self._count(number, (matches[0], matches[1]), (resets[0], resets[1]), name)
        for fact in single:
            self._note(fact, first if fact.early else _context_of(fact, early, late, began), name)
        if COMMIT in self.namespace(NAMESPACE) and any(fact.kind == "deleted" for fact in facts):
            self._enter_removed(facts, event, late, name)
        for bulk in bulks:
            tables.note_bulk(state["tables"], bulk, _moment_of(bulk, first, early, late))
            for fact in bulk.facts:
                self._note_configuration(fact)

    def _enter_removed(self, facts: tuple[Fact, ...], event: Event, sequence: int, name: str) -> None:
        """Let no run of tests before it speak for a workspace that lost a source."""
        from policy_engine.history.removed_sources import removed_sources

        for fact in removed_sources(facts, event, self.namespace(NAMESPACE), self.known_filesystem):
            for number, place in candidates(self.index, fact, self.known_filesystem):
                self._enter(number, place, fact, sequence, name, {})
            self._note(fact, sequence, name)

    def _began(self, event: Event) -> int | None:
        """Return the moment at which the first call ended that did so while the one at hand ran; None if none did.

        What a call proves is true of the time before that: what others wrote meanwhile it may not have seen.
        """
        call, beside = event.raw.get("call"), event.raw.get("beside")
        if type(call) is not str:
            return None
        ends = self.namespace(CALLS)
        began = ends.get(beside, 0) if type(beside) is str else None
        if call not in ends:
            ends[call] = self.state["clock"] + 1  # what it did is entered from here on, writes later
            self.dirty = True
        while len(ends) > _CALLS:
            del ends[next(iter(ends))]
        return began

    @property
    def index(self) -> dict[str, dict[str, list[Place]]]:
        if self._index is None:
            self._index = monitor_index(self.specs)
        return self._index

    def replayed(self, event: Event) -> bool:
        """Return whether the event at hand was reported before, with the same ids."""
        if event.hook != "after_tool" or not event.tool_id or not event.id or self._replayed is not None:
            return self._replayed is True
        seen, status = self.state["replays"], (event.result or {}).get("status")
        key = (event.tool_id, event.id, status)
        self._replayed = key in seen
        if not self._replayed:
            seen.append(key)
            del seen[:-_REPLAYS]
        return self._replayed

    def _enter(
        self, number: int, place: int, fact: Fact, sequence: int, name: str, counted: dict[int, list[list[int]]]
    ) -> None:
        spec = self.specs[number]
        meaning = verdict(all_atoms(spec)[place], fact, self.known_filesystem)
        if not meaning:
            return
        if spec[1] == "count":
            if meaning in (YES, MAYBE):
                marks = counted.setdefault(number, [[0, 0], [0, 0]])[place >= len(spec[2])]
                marks[meaning == MAYBE] = max(sequence, marks[meaning == MAYBE])
            return
        kept = None
        if spec[1] == "last" and meaning == YES:
            kept = record_of(fact, spec[3], self.shown)
        enter(self.stored(number)[place], meaning, sequence, name, kept)
        if meaning == YES:
            self._happened[number] = True
        elif meaning == MAYBE:
            self._happened.setdefault(number, False)

    def _enter_bulk(self, bulk: Bulk, sequence: int, name: str, counted: dict[int, list[list[int]]]) -> None:
        if self.event is None:
            return
        unknown = Fact(bulk.kind, self.event, False)
        places = dict.fromkeys(place for numbers in self.index.get(bulk.kind, {}).values() for place in numbers)
        for number, place in places:
            try:
                fact = bulk.latest(all_atoms(self.specs[number])[place][1], self.known_filesystem)
            except Undecided:
                fact = unknown
            if fact is not None:
                self._enter(number, place, fact, sequence, name, counted)

    def _count(self, number: int, matches: Mark, resets: Mark, name: str) -> None:
        within, rounds, _ = self.specs[number][3]
        state = self.stored(number)
        time, round_ = self.moment()
        sure = self._counted.get(number)  # an event counts once, though its refusals come later than its other facts
        if sure:
            matches = NEVER
        elif sure is not None and matches[0]:
            windows.withdraw(state, time, round_)
        if windows.advance(state, matches, resets, time, round_, name) or matches[0]:
            self._counted[number] = bool(matches[0])
        windows.prune(state, within, rounds, time, round_)
        if matches[0] > resets[0]:
            self._happened[number] = True

    def _note_configuration(self, fact: Fact) -> None:
        path = fact.path
        if path is not None and fact.kind != "read" and tested.is_configuration(path.real, self.known_filesystem):
            self.namespace(NAMESPACE)["configured"] = path.real
            self._note_test_file(fact)

    def _note_test_file(self, fact: Fact) -> None:
        """Look once at a file that was written, where rules ask for runs of tests."""
        if fact.kind != "read" and "tests" in self.index:
            note = tested.note_command if fact.kind == "command" else tested.note_file
            if note(fact, self.namespace(NAMESPACE), self.known_filesystem):
                self.dirty = True
            if fact.path is not None and self.event is not None and self.event.tool_kind in ("write", "edit"):
                room = self.namespace(NAMESPACE)
                self.dirty = keep_shown(self.event, fact.path.real, room, self.known_filesystem) or self.dirty

    def _note(self, fact: Fact, sequence: int, event: str) -> None:
        known = self.state["tables"]
        if fact.kind in PATH_KINDS:
            tables.note_path(known, fact, sequence, event)
            self._note_test_file(fact)
            if (
                fact.path is not None
                and fact.kind != "read"
                and tested.is_configuration(fact.path.real, self.known_filesystem)
            ):
                self.namespace(NAMESPACE)["configured"] = fact.path.real
        elif fact.kind == "tests":
            tested.note(fact, sequence, event, self.namespace(NAMESPACE), self.shown)
        elif fact.kind == "command":
            tables.note_command(known, fact, sequence, self.known_filesystem, event, self.key)
            self._note_test_file(fact)
        else:
            names = [fact.name]
            if fact.kind in ("called", "tool_fact"):
                names.append(_with_value(fact.value if fact.kind == "called" else fact.name, fact.value))
            for name in names:
                key = tables.name_key(fact.kind, name, self.key)
                tables.note_name(known, key, sequence, fact.sure, event)

    # ---- states --------------------------------------------------------------------------------------------------

    def stored(self, number: int) -> list[Any]:
        """Return the state of a monitor, kept from now on."""
        monitors, key = self.state["monitors"], self.specs[number][0]
        monitor = monitors.get(key)
        if monitor is None:
            monitor = self._fresh(number)
        monitors[key] = monitor  # it is about to change
        return monitor  # type: ignore[no-any-return]

    def state_of(self, number: int) -> list[Any]:
        """Return the state of a monitor, only looked at."""
        monitor = self.state["monitors"].get(self.specs[number][0])
        if monitor is None:
            monitor = self._fresh(number)
        return monitor  # type: ignore[no-any-return]

    def _fresh(self, number: int) -> list[Any]:
        """Return a state without own memories; in a session that had other monitors before, what the tables
        remember.
        """
        spec, joined = self.specs[number], self.state["joined"]
        if joined is None and self.state["joining"]:
            joined = (None, -1)  # asked before the first event after a reload
        if joined is not None and is_followed(spec[0], self.state["monitors"]):
            joined = None  # it never saw anything, and would have
        if spec[1] == "count":
            missed = joined is not None and either(self._remembered(atom)[:2] for atom in all_atoms(spec)) != NEVER
            return windows.fresh_count(joined if missed else None)
        if joined is None:
            return [fresh() for _ in spec[2]]
        return [[*self._remembered(atom), "", None] for atom in spec[2]]

    def _remembered(self, atom: AtomSpec) -> tuple[int, int, int]:
        """(sure, possible, cancel) of an atom from the tables."""
        kind, pattern, value = atom
        known = self.state["tables"]
        try:
            if kind in COMMAND_KINDS:
                return 0, tables.pattern_mark(known, kind, pattern), 0
            if kind in PATH_KINDS:
                return (*tables.glob_mark(known, kind, pattern, self.known_filesystem), 0)
        except Undecided:
            return 0, self.state["clock"], 0
        if kind == TESTS:
            passed, failed = tested.mark(self.namespace(NAMESPACE), pattern)
            return passed, known["name_floor"], failed
        name = _with_value(pattern, value[0]) if value else pattern or ""
        return (*tables.name_mark(known, tables.name_key(kind, name, self.key)), 0)

    @property
    def known_filesystem(self) -> FileSystem:
        if self.filesystem is None:
            raise Undecided("the history is asked outside an event")
        return self.filesystem


def _context_of(fact: Fact, early: int, late: int, began: int | None) -> int:
    """Return the moment of a fact; `began` is that of which successes are true, where it is an earlier one."""
    if fact.late:
        return late
    proves = (fact.kind == "command" and fact.outcome == "success") or (
        fact.kind == "tests" and fact.value.outcome == "passed"
    )
    return began if began is not None and proves else early


def _moment_of(bulk: Bulk, first: int, early: int, late: int) -> int:
    """Return the moment of many facts of one kind."""
    if all(fact.early for fact in bulk.facts):
        return first
    return early if bulk.kind == "read" else late


def _with_value(name: str, value: Any) -> str:
    return f"{name}\0{type(value).__name__}\0{value!r}"

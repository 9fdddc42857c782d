"""`Session`, the past of one session while an event is decided, and the sessions of one process.

Besides the history of facts it holds what the host last said (todos, goal, plan), the counters that rules may read, and
the rooms of limits, modes and budgets. Everything is plain values, so that it can be stored. What a lost past might
have held is undecided until an event says it again. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.history.limits import fresh_tally, key_of, tallied
from policy_engine.history.modes import mode_slot
from policy_engine.history.recorder import agent_key
from policy_engine.history.session import History
from policy_engine.history.tables import MISSED
from policy_engine.model.limits import LIMIT_KEYS
from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Protocol

    from policy_engine.evaluators.base import Program
    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.model.event import Event

LIVE_SESSIONS = 10_000  # kept in memory; the one used longest ago is dropped
COUNTING = ("limits", "counts", "budget", "verify", "retained")
"""The rooms of the history in which something is counted."""
_CLAIMS = ("todos", "todo_changes", "goal", "plan", "usage")
_SAID = ("todos", "goal", "plan", "usage")
_BY_PART = ("plan", "usage")  # an event may name a part; what it leaves out stays as it was
_SAY_AGAIN = {
    "todos": "; send the whole list of todos again, an empty one if there are none, or a person runs `policy accept`",
    "goal": "; the next prompt says it",
    "plan": "; send the plan again",
    "usage": "; send the usage again",
}
_COUNTED = {"prompt": "turn", "after_tool": "steps", "after_round": "rounds"}


class Session:
    """One session during one event.

    `lost`: it had a past that is gone. `away`: its past is somewhere, but cannot be had or kept now. `parts` keeps what
    few events need beside the history, by name; None where nothing is kept. `keeps` are the kinds of facts that
    the rules ask for, where what is kept outlives the process; None: everything may be kept.
    """

    __slots__ = ("agent", "away", "history", "id", "keeps", "parts", "_said")

    def __init__(
        self, session: str, history: History, lost: bool = False, away: bool = False, parts: Parts | None = None
    ) -> None:
        self.id = session
        self.history = history
        self.agent = "main"
        self.away = away
        self.parts = parts
        self.keeps: frozenset[str] | None = None
        self._said: dict[str, Any] | None = None
        if lost or away:
            self.said["lost"] = True

    @property
    def said(self) -> dict[str, Any]:
        """Return what the host last said, and the counters."""
        stored = self._said
        if stored is None:
            stored = self._said = self.history.namespace("said")
        return stored

    @property
    def todos(self) -> list[dict[str, Any]] | None:
        """The latest todo list. Raises Undecided if it may be lost; so do the properties and counters below."""
        return self._known("todos", None)  # type: ignore[no-any-return]

    @property
    def goal(self) -> dict[str, Any] | None:
        """The latest goal; a prompt is one if the host sends no other."""
        return self._known("goal", None)  # type: ignore[no-any-return]

    @property
    def plan(self) -> dict[str, Any] | None:
        """The latest plan."""
        return self._known("plan", None)  # type: ignore[no-any-return]

    @property
    def usage(self) -> dict[str, Any] | None:
        """The latest count of tokens and money."""
        return self._known("usage", None)  # type: ignore[no-any-return]

    @property
    def resumed(self) -> bool:
        """Return whether the host took up an earlier session."""
        return bool(self._known("resumed", False))

    def _known(self, name: str, without: object) -> Any:
        statements = self.said
        if name in statements.get("doubted", ()):
            raise Undecided(f"a result that proves nothing may have changed `{name}`")
        if (name not in statements and "lost" in statements) or name in statements.get("unsure", ()):
            raise Undecided(f"what the session said before (`{name}`) is lost{_SAY_AGAIN.get(name, '')}")
        return statements.get(name, without)

    def counted(self) -> None:
        """Raises Undecided if this event cannot be counted together with those before it."""
        if self.away:
            raise Undecided("what the session counted before is not available")

    @property
    def uncounted(self) -> bool:
        """Return whether what was counted before is not known at all."""
        return "uncounted" in self.said

    def counter(self, name: str) -> int:
        """`turn`, `steps` or `rounds` so far, this event included."""
        if "lost" in self.said or name in self.said.get("unsure", ()):
            raise Undecided(f"what the session counted before (`{name}`) is lost")
        return int(self.said.get(name, 0))

    def note_limit(self, limit: str, count: int, window: list[Any] | None = None) -> None:
        """Keep a limit's count for the rules that read it; of one with a window (see `window_of`), what is in it."""
        self.history.namespace("counts")[f"{limit}\0{self.agent}"] = count if window is None else window

    def limit_count(self, limit: str, now: int | None = None) -> int:
        """`limit.NAME.count` for this agent, of the key that was counted last; a window is as of now.

        Raises:
            Undecided: the count is lost, or what lies in the window is not known.
        """
        self.counted()
        count = self.history.namespace("counts").get(f"{limit}\0{self.agent}", 0)
        if isinstance(count, int):
            return count
        within, rounds, ring = count
        return tallied([0, 0, None, ring, ""], within, rounds, now, self.history.round_of(self.agent))

    def limit_count_of(self, limit: str, parts: tuple[Any, ...], now: int | None = None) -> int:
        """`limit.NAME.count(…)` for this agent: the count of this key; a window is as of now.

        Raises:
            Undecided: the count is lost, was forgotten for those of LIMIT_KEYS other keys, or its window is not known.
        """
        self.counted()
        slot = f"{limit}\0{self.agent}"
        states = self.history.namespace("limits").get(slot, {})
        state, window = states.get(key_of(parts, self.history.key)), self.history.namespace("counts").get(slot)
        within, rounds = window[:2] if type(window) is list else (0, 0)
        if state is None or len(state) != len(fresh_tally()):
            if len(states) >= LIMIT_KEYS or (self.uncounted and not (within or rounds)):
                raise Undecided("what was counted of this key before is not known any more")
            return 0
        return tallied(state, within, rounds, now, self.history.round_of(self.agent))

    def mode_known(self, mode: str) -> None:
        """Mark this mode's state as known from now on, whatever else is missing."""
        statements, key = self.said, f"{mode}\0{self.agent}"
        if "modes" in statements.get("unsure", ()) and key not in statements.get("modes", ()):
            statements["modes"] = [*statements.get("modes", ()), key]
            self.history.dirty = True

    def mode(self, mode: str) -> bool:
        """`mode.NAME`."""
        if mode_slot(self.history.namespace("modes"), mode, self.agent)[0]:
            return True
        statements = self.said
        unsure = "modes" in statements.get("unsure", ()) and f"{mode}\0{self.agent}" not in statements.get("modes", ())
        if unsure or "lost" in statements:
            raise Undecided(f"whether the mode `{mode}` was entered before is lost")
        return False

    def begin(self, event: Event, filesystem: FileSystem) -> None:
        """Take in what the event says about itself, before any rule reads it."""
        self.agent = agent_key(event)
        self.history.begin(event, filesystem)
        statements = self.said
        for name in _SAID:
            value = getattr(event, name)
            if value is not None:
                self._say(
                    name,
                    {**self._before(name), **self._kept(name, value)} if name in _BY_PART else self._kept(name, value),
                )
        if event.hook == "session_start" and event.raw.get("source") in ("resume", "fork"):
            statements["resumed"] = True
            self.history.dirty = True
        if (
            event.hook == "prompt"
            and event.goal is None
            and not statements.get("host_goal")
            and not self._goes_on(event)
        ):
            self._say("goal", self._kept("goal", {"text": event.prompt or ""}))
        if event.hook == "prompt" and "todos" in statements.get("unsure", ()) and "todos" not in statements:
            statements["unsure"] = [name for name in statements["unsure"] if name != "todos"]  # none was ever seen
        if event.goal is not None:
            statements["host_goal"] = True
        if event.unproven:
            self._doubt(event.raw)
        elif event.hook == "after_tool" and event.raw.get("todo_changes"):
            self._merge(event.raw["todo_changes"])
        counter = _COUNTED.get(event.hook)
        if counter is not None:
            statements[counter] = statements.get(counter, 0) + 1
            self.history.dirty = True

    def note_start(self, event: Event) -> None:
        """Keep when the session began, for `session.age`."""
        if "since" not in self.said:
            self.said["since"] = event.time
            self.history.dirty = True

    def age(self, now: int) -> int:
        """Return `session.age` in milliseconds. Raises Undecided."""
        since = self._known("since", None)
        if since is None:
            raise Undecided("when the session began was not seen")
        if now < since:
            raise Undecided("the clock says that the session has not begun yet")
        return int(now - since)

    def note_turn(self, event: Event) -> None:
        """Add the event to the turn of its agent, for `round.digest`."""
        from policy_engine.history.turn import note_turn

        note_turn(self.history, self.said, event)

    @property
    def round_digest(self) -> Any:
        """`round.digest` of the turn that ends, absent if it made no call. Raises Undecided."""
        from policy_engine.history.turn import turn_digest

        self.counted()
        return turn_digest(self.history, self.agent)

    def _goes_on(self, event: Event) -> bool:
        """Return whether a prompt asks for what was asked before, so that the goal stays as it is ("continue").

        A goal that is lost does not stay: the host does not repeat it, so any prompt says the goal again.
        """
        from policy_engine.history.goal import is_resumption

        statements = self.said
        known = "goal" in statements and not any("goal" in statements.get(name, ()) for name in ("unsure", "doubted"))
        return known and is_resumption(event.prompt or "")

    def _doubt(self, raw: dict[str, Any]) -> None:
        """Mark what an event that proves nothing claims as unknown, until an event that does says it."""
        claimed = {"todos" if name == "todo_changes" else name for name in _CLAIMS if raw.get(name) is not None}
        if claimed:
            self.said["doubted"] = sorted({*self.said.get("doubted", ()), *claimed})
            self.history.dirty = True

    def _kept(self, name: str, value: Any) -> Any:
        """Return what is kept of todos, a goal or a plan: no text that no rule asks for, no secret."""
        if self.keeps is None or value is None:
            return value
        from policy_engine.runtime.kept_words import kept_goal, kept_plan, kept_todos

        if name == "todos":
            return kept_todos(value, self.history.shown)
        return kept_goal(value, self.history, self.keeps) if name == "goal" else kept_plan(value)

    def _before(self, name: str) -> dict[str, Any]:
        """Return the parts of a statement that are known; none if any may have changed unseen."""
        known = not any(name in self.said.get(doubt, ()) for doubt in ("unsure", "doubted"))
        return (self.said.get(name) or {}) if known else {}

    def _say(self, name: str, value: Any) -> None:
        """Keep what the event says; from now on it is known."""
        statements = self.said
        if name in statements.get("unsure", ()):
            statements["unsure"] = [other for other in statements["unsure"] if other != name]
            self.history.dirty = True
        if name in statements.get("doubted", ()):
            statements["doubted"] = [other for other in statements["doubted"] if other != name]
            self.history.dirty = True
        if statements.get(name) != value:
            statements[name] = value
            self.history.dirty = True

    def bookmark(self) -> tuple[str, tuple[Any, ...]]:
        """For `resume`, when the session is given back before its event is decided."""
        return self.agent, self.history.bookmark()

    def resume(self, bookmark: tuple[str, tuple[Any, ...]]) -> None:
        """Go on with the event of the bookmark: it is no new one."""
        self.agent, kept = bookmark
        self.history.resume(kept)

    def block_todo(self, name: str, title: str) -> None:
        """A required todo of the engine's own that only a person can resolve."""
        self._merge([{"id": name, "title": title, "status": "blocked", "required": True}])

    def _merge(self, changes: Any) -> None:
        """Changes to single todos, for hosts that do not send the whole list."""
        if ("lost" in self.said and "todos" not in self.said) or "todos" in self.said.get("unsure", ()):
            return  # a part of the list must not be taken for the list
        known = {todo["id"]: todo for todo in self.said.get("todos") or ()}
        for change in self._kept("todos", changes) if type(changes) is list else ():
            if type(change) is dict and type(change.get("id")) is str:
                known[change["id"]] = {**known.get(change["id"], {}), **change}
        self.said["todos"] = list(known.values())
        self.history.dirty = True


def keep_counts(history: History, before: dict[str, Any] | None) -> None:
    """Keep what was counted before a past was lost: a missed event makes a count too low, never a new one.

    `before` is the state that the session had; without one nobody knows what was counted, and that is noted.
    """
    rooms = before.get("rooms") if before is not None else None
    if type(rooms) is not dict:
        history.namespace("said")["uncounted"] = True
        return
    if rooms.get("said", {}).get("uncounted"):
        history.namespace("said")["uncounted"] = True
    for name, namespace in rooms.items():
        if name in COUNTING or name.startswith("timeout "):
            history.state["rooms"][name] = namespace


def empty_session(session: str) -> Session:
    """For events whose decision does not depend on the past."""
    return Session(session, History())


def session_away(session: str, program: Program) -> Session:
    """For an event whose session cannot be had or kept: all that needs the past is undecided."""
    history = History(program.monitors, program.monitor_digest, program.monitor_index, lost=True)
    return Session(session, history, away=True)


class MemorySessions:
    """Sessions of one process; lost when it ends."""

    __slots__ = ("_live",)

    def __init__(self) -> None:
        self._live: dict[str, Session] = {}

    def open(self, session: str, program: Program, starts: bool = False) -> Session:
        """The session, under the monitors of this program."""
        opened = self._live.pop(session, None)
        if opened is None:
            history = History(program.monitors, program.monitor_digest, program.monitor_index)
            opened = Session(session, history, parts={})
        elif opened.history.specs is not program.monitors:
            state = opened.history.snapshot()
            history = History.restore(program.monitors, state, program.monitor_digest, program.monitor_index)
            opened = Session(session, history, parts=opened.parts)
        self._live[session] = opened
        if len(self._live) > LIVE_SESSIONS:
            del self._live[next(iter(self._live))]
        return opened

    def close(self, session: Session) -> None:
        """The event is decided."""

    def abandon(self, session: Session) -> None:
        """The event failed half-way; what it changed cannot be told apart, so the past becomes unknown."""
        self.lose(session.id)

    def lose(self, session: str, kind: bytes = b"") -> None:
        """An event of this kind (history/doubt.py) is missing in the session."""
        before = self._live.get(session)
        if before is not None and kind:
            namespace = before.history.namespace(MISSED)
            namespace["kinds"] = namespace.get("kinds", b"") + kind
            return
        parts = before.parts if before is not None else {}
        history = History(lost=True)
        if before is not None:
            keep_counts(history, before.history.state)
        self._live[session] = Session(session, history, lost=True, parts=parts)


if TYPE_CHECKING:

    class Parts(Protocol):
        """Values by name, plain enough to be marshalled."""

        def get(self, name: str) -> Any: ...

        def __setitem__(self, name: str, value: Any) -> None: ...

    class Sessions(Protocol):
        """The sessions of a process."""

        def open(self, session: str, program: Program, starts: bool = False) -> Session: ...

        def close(self, session: Session) -> None: ...

        def abandon(self, session: Session) -> None: ...

        def lose(self, session: str, kind: bytes = ...) -> None: ...

"""The one place that wires the parts together: `Engine` as users hold it, with loading, reloading and a store."""

from __future__ import annotations

import importlib
import os
import pkgutil
import threading
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from policy_engine.audit.display import redact_shown
from policy_engine.audit.in_process import Log
from policy_engine.evaluators.base import Program
from policy_engine.filesystem.file_system import FileSystem
from policy_engine.hook_process.floors import Floors
from policy_engine.loading.kept_program import KeptProgram
from policy_engine.loading.loader import Loaded, load_text
from policy_engine.loading.reloader import Reloader
from policy_engine.model.decision import Decision
from policy_engine.model.event import Event
from policy_engine.model.ladder import ORDERED
from policy_engine.runtime import engine as core
from policy_engine.runtime.external import Hooks, everybody, nobody
from policy_engine.runtime.reading import read_event
from policy_engine.runtime.resolve import beside, own_word, refused
from policy_engine.runtime.scanner import automaton_scanner
from policy_engine.runtime.session import MemorySessions
from policy_engine.runtime.stored_sessions import StoredSessions, open_store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.model.event_form import EventForm
    from policy_engine.runtime.external import RunStage
    from policy_engine.runtime.session import Session, Sessions

POLL_SECONDS = 1.0


def now_ms() -> int:
    """Milliseconds since the epoch."""
    return time.time_ns() // 1_000_000


def stage_runner(progress: Callable[[str, float, str], None] | None = None) -> RunStage:
    """Return the function that runs the stages of `verify`; imported when the first stage runs."""

    def run(spec: tuple[Any, ...], folder: str) -> dict[str, Any]:
        from policy_engine.verification.record import stage_record

        report = None if progress is None else lambda seconds, line: progress(spec[0], seconds, line)
        return stage_record(spec, folder, report)

    return run


class Engine(core.Engine):
    """A policy set in force: `Engine.load(".policy")`, then `decide(event)` for every event.

    `watch()` reloads on change, atomically, keeping the last good set; `close()` ends watching and gives back the state
    file. An Engine may be used from several threads; each decision sees one Program from beginning to end. `log` keeps
    its decisions, or is None.
    """

    _read = staticmethod(read_event)

    def __init__(
        self,
        reloader: Reloader | KeptProgram,
        sessions: Sessions | None = None,
        home: str | None = None,
        hooks: Hooks | None = None,
        filesystem: Callable[[str | None], FileSystem] | None = None,
        clock: Callable[[], int] = now_ms,
        log: bool = False,
    ) -> None:
        _prepare_forks()
        self._in_turn = InTurn(sessions if sessions is not None else MemorySessions())
        super().__init__(
            lambda: reloader.in_force,
            self._in_turn,
            home if home is not None else os.environ.get("HOME"),
            clock,
            hooks,
            filesystem,
        )
        self._reloader: Reloader | KeptProgram = reloader
        self._floors = Floors(scanning)
        self._said: dict[str, str] = {}
        self._watching: threading.Event | None = None
        self.log = Log() if log else None

    @classmethod
    def load(
        cls,
        *paths: str | Path,
        state: str | Path | None = None,
        hooks: dict[str, Callable[[Any], Any]] | None = None,
        run_commands: bool = False,
        progress: Callable[[str, float, str], None] | None = None,
        log: bool = True,
    ) -> Engine:
        """Compile the policies at `paths` (files, or folders with every `*.policy` below), default `.policy`.

        They alone decide: the built-in layer, which guards the policies and the engine themselves, and the layers of
        the organisation and the user are not beside them. `Engine.at` decides with all of them, as the hook does.

        `state` names an SQLite file that keeps the sessions (default: memory); `hooks` are the Python callables that
        `hook … call name` may name; `run_commands` allows what `hook … run` and the stages of `verify` name, and
        `progress` hears the stage, its seconds so far and its last line of output, about once a second; `log` says
        whether every decision is kept in the decision log of this user. Raises PolicyLoadError with located
        diagnostics if the set does not load.
        """
        reloader = Reloader(paths or (".policy",), adapt)
        reloader.require_program()
        sessions = StoredSessions(open_store(str(state)), shown=redact_shown) if state is not None else MemorySessions()
        admit = everybody if run_commands else nobody
        return cls(reloader, sessions, hooks=Hooks(hooks or {}, admit, stage_runner(progress), beside=True), log=log)

    @classmethod
    def at(
        cls,
        workspace: str | Path = ".",
        *,
        state: str | Path | None = None,
        hooks: dict[str, Callable[[Any], Any]] | None = None,
        progress: Callable[[str, float, str], None] | None = None,
        log: bool = True,
    ) -> Engine:
        """An engine that decides as the hook of a coding agent does in a workspace: by all layers, built-in,
        organisation, user, outer and own repository, which are looked at again at every event. `Engine.load` decides
        by the files that it is given, and by nothing else.

        Commands of the repository run as far as they are trusted (`policy trust`). Policies that do not load raise
        nothing: whatever can be refused is refused until they do. Raises ConfigurationError without a home folder.
        """
        from policy_engine.consent.trust import Gate
        from policy_engine.loading.live import repository

        root = repository(os.path.abspath(workspace))
        sessions = StoredSessions(open_store(str(state)), shown=redact_shown) if state is not None else MemorySessions()
        run = stage_runner(progress)
        return cls(
            KeptProgram(root, scanning), sessions, hooks=Hooks(hooks or {}, Gate(root), run, beside=True), log=log
        )

    def decide(self, event: Event | EventForm, given: dict[str, Any] | None = None) -> Decision:
        """The decision on one event; never raises for a user's mistake."""
        known = event
        if type(known) is dict:
            try:
                known = self._read(known)
            except Exception:
                known = event  # what is wrong with it becomes the decision
        decision = super().decide(known, given)
        whole = known if isinstance(known, Event) else None
        notice = self._said.pop(whole.session, "") if whole is not None and self._said else ""
        if whole is not None and notice:
            decision = beside(whole, decision, [own_word("violated", "warn", notice, "")])
        if whole is not None and self._reloader.lacking:
            decision = refused(whole, decision, "E-POLICY", self._reloader.lacking)
        if self.log is not None:
            self.log.decided(decision, whole)
        decision.verdict = ORDERED[decision.verdict]
        return decision

    async def decide_async(self, event: Event | EventForm) -> Decision:
        """As `decide`, in a thread beside the event loop: hooks and stages may take their time."""
        import asyncio

        return await asyncio.to_thread(self.decide, event)

    @classmethod
    def from_text(
        cls,
        text: str,
        *,
        sessions: Sessions | None = None,
        home: str | None = None,
        hooks: Hooks | dict[str, Callable[[Any], Any]] | None = None,
        filesystem: Callable[[str | None], FileSystem] | None = None,
        clock: Callable[[], int] = now_ms,
        log: bool = False,
    ) -> Engine:
        """Compile one policy given as text.

        As with `load`, `hooks` are the Python callables that `hook … call name` may name, and this policy alone
        decides: the built-in layer is not beside it. Raises PolicyLoadError.
        """
        loaded = load_text(text)
        loaded.require_program()
        how = Hooks(hooks, nobody, stage_runner()) if isinstance(hooks, dict) else hooks
        return cls(Reloader.fixed(adapt(loaded)), sessions, home, how, filesystem, clock, log)

    @property
    def program(self) -> Program:
        """The Program in force."""
        return self._reloader.program

    def _in_force_for(self, event: Event) -> tuple[Program, tuple[str, ...]]:
        """The Program in force, and whatever of its session's first one that does not say any more."""
        program, errors = self._in_force()
        policies = self._reloader.policies
        if policies is None:
            return program, errors
        program, notice = self._floors.program(event.session, *policies)
        if notice:
            self._said[event.session] = notice
        return program, errors

    def adopt(self, session: str | None = None) -> None:
        """Let the policies of now decide in a session, or in all: what they began with is let go.

        Without this, what a reload takes away stays in force in every session that began with it. It is the word of a
        person, not of an agent.
        """
        self._floors.adopt(session)

    def reload(self) -> bool:
        """Look at the files now; True if another set took effect."""
        return self._reloader.poll()

    def watch(self) -> None:
        """Reload in the background whenever a policy file changes; returns at once.

        File system notifications make it quick, a look at the digests every second makes it certain (network file
        systems send none).
        """
        if self._watching is None and isinstance(self._reloader, Reloader):
            from policy_engine.loading.watcher import watch

            self._watching = watch(self._reloader, POLL_SECONDS)

    def close(self) -> None:
        """Stop watching, write the log, and let go of the state file until the next event."""
        if self._watching is not None:
            self._watching.set()
            self._watching = None
        if self.log is not None:
            self.log.flush()
        self._in_turn.disconnect()


@cache
def _prepare_forks() -> None:
    """Make a copy of the process decide also where it was made while another thread made its first decision.

    Much is imported at its first use. A copy made meanwhile would wait for ever for the thread that was importing.
    """
    os.register_at_fork(before=_import_all)


@cache
def _import_all() -> None:
    """Import what decisions import at their first use, each module once nobody else is importing it."""
    for room in _LAZY_ROOMS:
        package = importlib.import_module(f"policy_engine.{room}")
        for module in pkgutil.iter_modules(package.__path__):
            importlib.import_module(f"{package.__name__}.{module.name}")
    for name in _LAZY:
        importlib.import_module(name)


_LAZY_ROOMS = (
    "model",
    "state",
    "filesystem",
    "programs",
    "shell",
    "history",
    "predicates",
    "evaluators",
    "stores",
    "runtime",
    "audit",
)
_LAZY = ("re", "unicodedata", "urllib.parse", "zlib", "base64")


class InTurn:
    """Sessions that one thread at a time has, from `open` to `close` or `abandon`: the transaction of one event."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        self._turn = threading.RLock()

    def open(self, session: str, program: Program, starts: bool = False) -> Session:
        """As of the sessions; other threads now wait. Raises StoreError."""
        self._turn.acquire()
        try:
            return self._sessions.open(session, program, starts)
        except BaseException:
            self._turn.release()
            raise

    def close(self, session: Session) -> None:
        """End the transaction. Raises StoreError."""
        try:
            self._sessions.close(session)
        finally:
            self._turn.release()

    def abandon(self, session: Session) -> None:
        """End it, keeping nothing. Raises StoreError."""
        try:
            self._sessions.abandon(session)
        finally:
            self._turn.release()

    def lose(self, session: str, kind: bytes = b"") -> None:
        """An event is missing in the session. Raises StoreError."""
        with self._turn:
            self._sessions.lose(session, kind)

    def disconnect(self) -> None:
        """Let go of a state file."""
        with self._turn:
            if isinstance(self._sessions, StoredSessions):
                self._sessions.disconnect()


def adapt(loaded: Loaded) -> Loaded:
    """Give a Program the scanner of a long-lived process."""
    if loaded.program is not None:
        scanning(loaded.program)
    return loaded


def scanning(program: Program) -> Program:
    """The Program with the scanner of a long-lived process."""
    program.names["scanner"] = automaton_scanner
    return program

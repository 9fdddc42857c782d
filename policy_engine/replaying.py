"""Decide recordings by one policy, or by two: in one process or several, recording by recording.

Nothing that a recording says is run, and a workspace that is not on this machine is what its path says: what stands in
it is unknown. Of a session only its past is kept, and that no longer than it lasts.
"""

from __future__ import annotations

import gc
import hashlib
import os
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache
from multiprocessing import get_context
from typing import Any

from policy_engine.adapters.base import POLICY_CODE
from policy_engine.audit.redaction import redacted
from policy_engine.bootstrap import now_ms, scanning
from policy_engine.deciding import decide_recorded, named, without_builtin
from policy_engine.export.row import Row, row_of
from policy_engine.filesystem.file_system import Disk, FileSystem, Virtual
from policy_engine.filesystem.paths import PathValue
from policy_engine.history.doubt import doubt_paths
from policy_engine.loading.active import Live
from policy_engine.loading.debounce import load_settled
from policy_engine.loading.live import live
from policy_engine.loading.recordings import recording
from policy_engine.model.decision import Decision
from policy_engine.model.errors import ConfigurationError, EventError, PolicyEngineError
from policy_engine.model.event import Event
from policy_engine.model.replayed import CHANGED, Hit, Replayed, home_of, state_of
from policy_engine.model.undecided import Undecided
from policy_engine.runtime import engine as core
from policy_engine.runtime.external import Hooks, nobody
from policy_engine.runtime.reading import read_event
from policy_engine.runtime.resolve import refused
from policy_engine.runtime.session import MemorySessions, Session
from policy_engine.testing.coverage import Coverage, Noted
from policy_engine.testing.recorded import Changed
from policy_engine.testing.runner import suite
from policy_engine.testing.trials import Trial, trial_of
from policy_engine.transcripts.base import Recorded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.evaluators.base import Program
    from policy_engine.evaluators.context import EvaluationContext
    from policy_engine.model.undecided import _Absent
    from policy_engine.shell.command import SimpleCommand

Tell = Callable[["Hit | Row"], None]


@dataclass(frozen=True, slots=True)
class Replay:
    """The choice of policies: files, or what is in force for each event; `against` the policy to compare with.

    `salt` is what the marks of secrets are made with; without it none are looked for. With `keep` all hits are given,
    with `rows` a row for each decision, with `coverage` what was seen of the policy's own rules; without `strict` what
    is no recording is counted and left out.
    """

    paths: tuple[str, ...] = ()
    against: tuple[str, ...] = ()
    builtin: bool = True
    keep: bool = False
    rows: bool = False
    strict: bool = True
    salt: str = ""
    coverage: bool = False


@dataclass(slots=True)
class Part:
    """The results of one recording: its sum, and the hits, rows and coverage that were wanted."""

    sum: Replayed
    hits: list[Hit]
    rows: list[Row]
    noted: Noted = field(default_factory=dict)


class Elsewhere(Virtual):
    """A workspace that is not on this machine: paths are what they say, and what stands there is unknown."""

    __slots__ = ()

    def look(self, path: PathValue) -> tuple[str, int] | _Absent:
        raise Undecided(f"what stands at `{path.text[:200]}` is not in the recording")

    def names(self, path: PathValue) -> list[str]:
        raise Undecided(f"what stands in `{path.text[:200]}` is not in the recording")

    def files_below(self, path: PathValue, deepest: int = 0) -> list[str]:
        raise Undecided(f"what stands below `{path.text[:200]}` is not in the recording")


def worlds() -> Callable[[str | None], FileSystem]:
    """Return what gives the filesystem of a workspace, the same one to each policy.

    The shell line of a call is read once, when it is proposed and when it has ended: a replay changes no disk.
    """
    lines: dict[object, Any] = {}

    @lru_cache(core.FILESYSTEMS)
    def known(workspace: str | None) -> FileSystem:
        filesystem = filesystem_of(workspace)
        filesystem.lines = lines
        return filesystem

    return known


def filesystem_of(workspace: str | None) -> FileSystem:
    """Return the disk where the workspace is on this machine, else what the recording says."""
    if workspace is None or os.path.isdir(workspace):
        return Disk(workspace, os.environ.get("HOME"))
    if workspace[1:2] == ":":
        from policy_engine.filesystem.drives import Drives

        return Drives(workspace)
    return Elsewhere(workspace, home_of(workspace) or os.environ.get("HOME") or "/")


class RecordedSessions(MemorySessions):
    """The pasts of a recording's sessions, without snapshots of a workspace; one that ended is let go."""

    __slots__ = ("unseen",)

    def __init__(self) -> None:
        super().__init__()
        self.unseen = 0

    def open(self, session: str, program: Program, starts: bool = False) -> Session:
        """The session; its workspace is never compared: the disk is not what it was."""
        opened = super().open(session, program, starts)
        opened.parts = None
        return opened

    def forget(self) -> None:
        """Forget all sessions, those of the recording before."""
        self._live.clear()

    def let_go(self, session: object) -> None:
        """Forget a session that ended."""
        self._live.pop(session, None)  # type: ignore[call-overload]


class RecordingEngine(core.Engine, core.Observer):
    """An engine for what happened elsewhere or long ago: a command's unseen writes put all paths in doubt."""

    told: bool = True
    _read = staticmethod(read_event)

    def __init__(
        self,
        in_force: Callable[[], core.InForce],
        sessions: RecordedSessions,
        filesystem: Callable[[str | None], FileSystem],
    ) -> None:
        super().__init__(in_force, sessions, os.environ.get("HOME"), now_ms, Hooks({}, nobody), filesystem)
        self.sessions, self.observer = sessions, self

    def before(self, context: EvaluationContext, session: Session) -> None:
        event = context.event
        if self.told and event.hook == "after_tool" and event.tool_kind == "shell" and event.changes is None:
            from policy_engine.history.facts import ended

            if ended(event) != "blocked" and _writes_unseen(context):
                self.sessions.unseen += 1
                doubt_paths(session.history)


class CoveringEngine(RecordingEngine):
    """An engine of the policy's own rules alone, which notes what recorded events show of them."""

    trial: Trial
    coverage: Coverage
    _outcomes: list[tuple[str, str]]

    def after(self, program: Program, context: EvaluationContext, session: Session, decision: Decision) -> None:
        self._outcomes = self.coverage.watch(self.trial, context, decision)

    def note(self, event: dict[str, Any], log: bool) -> None:
        """Decide an event, and count what it showed; `log` says that our own log has it."""
        self._outcomes, self.told = [], not log
        self.decide(event)  # type: ignore[arg-type]
        self.coverage.count(self._outcomes)


def coverage_of(paths: tuple[str, ...]) -> Coverage:
    """Return the coverage of policies of which nothing was seen yet. Raises PolicyLoadError."""
    chosen = suite(load_settled(paths)[0], paths)
    return Coverage(chosen.policy, chosen.files)


def _covering(paths: tuple[str, ...], filesystem: Callable[[str | None], FileSystem]) -> CoveringEngine:
    """Return an engine that measures what recordings cover of policies. Raises PolicyLoadError."""
    chosen = suite(load_settled(paths)[0], paths)
    trial = trial_of(chosen.policy, "")
    made = CoveringEngine(lambda: (trial.program, ()), RecordedSessions(), filesystem)
    made.trial, made.coverage = trial, Coverage(chosen.policy, chosen.files)
    return made


def _writes_unseen(context: EvaluationContext) -> bool:
    """Return whether only the disk would show what a finished line wrote."""
    try:
        return any(not _is_told(command) for command in context.commands)
    except Undecided:
        return True


def _is_told(command: SimpleCommand) -> bool:
    """Return whether what a command wrote is known by its words: it only reads, or its success proves every write."""
    from policy_engine.effects.command import effects_of

    effects = effects_of(command)
    return effects.read_only or (command.evident is True and all(path.known for path in effects.writes))


@dataclass(slots=True)
class _Decider:
    """One policy, loaded (`program`) or by its paths, or what is in force for each workspace, with the pasts of the
    recording at hand.
    """

    paths: tuple[str, ...]
    builtin: bool
    filesystem: Callable[[str | None], FileSystem]
    program: Program | None = None
    digest: str = ""
    sessions: RecordedSessions = field(default_factory=RecordedSessions)
    programs: dict[str, RecordingEngine] = field(default_factory=dict)
    layers: dict[str | None, Live] = field(default_factory=dict)
    now: list[Live] = field(default_factory=list)
    others: list[tuple[tuple[str, ...], bool]] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.program is not None:
            self.digest = self._take(self.program)
        elif self.paths:
            whole = tuple(os.path.abspath(path) for path in self.paths)
            self.digest = self._add(whole, self.builtin)
            self.others = [(names, both) for names in dict.fromkeys((whole, self.paths)) for both in (True, False)]
        else:
            self.programs[""] = self._engine(lambda: (self.now[-1].program, self.now[-1].errors))

    def _add(self, paths: tuple[str, ...], builtin: bool) -> str:
        return self._take(scanning(named(paths, builtin).loaded.require_program()))

    def _take(self, program: Program) -> str:
        self.programs.setdefault(program.digest, self._engine(lambda: (program, ())))
        return program.digest

    def _engine(self, in_force: Callable[[], core.InForce]) -> RecordingEngine:
        return RecordingEngine(in_force, self.sessions, self.filesystem)

    def decide(self, event: dict[str, Any], then: str, log: bool) -> Decision:
        """Decide an event; `then` is the digest of the policy that decided it, `log` that our own log has it.

        A digest has the names of the files in it: of hooks they are absolute, of a program as it gave them; and that of
        a program has no built-in rules. The same policies in one of these forms are taken where the record says so.
        """
        engine = self.programs[self.digest]
        if self.program is not None or self.paths:
            while then and then not in self.programs and self.others:
                self._add(*self.others.pop())
            engine = self.programs.get(then, engine)
            engine.told = not log
            return engine.decide(event)  # type: ignore[arg-type]
        workspace = event.get("workspace")
        try:
            read = Event.from_dict(event)
            if workspace not in self.layers:
                self.layers[workspace] = live(workspace) if self.builtin else without_builtin(workspace)
        except (PolicyEngineError, TypeError) as error:
            return core.failure(event, getattr(error, "code", "E-POLICY"), str(error), "")
        self.now[:] = [self.layers[workspace]]
        engine.told = not log
        decision = engine.decide(read)
        return refused(read, decision, POLICY_CODE, self.now[0].lacking) if self.now[0].lacking else decision


class Replayer:
    """Replay recordings in this process; the policies are loaded once."""

    def __init__(self, replay: Replay) -> None:
        self._salt, self._rows = replay.salt, replay.rows
        filesystem = worlds()
        self._new = _Decider(replay.paths, replay.builtin, filesystem)
        self._old = _Decider(replay.against, replay.builtin, filesystem) if replay.against else None
        self.covering = _covering(replay.paths, filesystem) if replay.coverage else None

    def empty(self) -> Replayed:
        """Return the sum of no recording."""
        return Replayed(self._new.digest, self._old.digest if self._old is not None else None)

    def replay(self, name: str, tell: Tell, events: Iterable[Recorded] | None = None) -> Replayed:
        """Decide a recording.

        Args:
            name: its path, or what stands for it in places.
            tell: gets each hit at once, and each row if they are wanted.
            events: what was read of it, if it is not to be opened here.

        Raises:
            ConfigurationError: it is no recording, or cannot be read.
        """
        replayed = self.empty()
        replayed.recordings = 1
        deciders = [self._new, *([self._old] if self._old is not None else [])]
        for decider in deciders:
            decider.sessions.forget()
        before = self._new.sessions.unseen
        pasts = [decider.sessions for decider in deciders]
        if self.covering is not None:
            self.covering.sessions.forget()
            pasts.append(self.covering.sessions)
        for place, each in _decidable(name, recording(name) if events is None else events, replayed):
            self._one(each, place, replayed, tell)
            if self._salt and isinstance(each.event, dict):
                _secrets(each.event, place, self._salt, replayed)
            _end(pasts, each.event)
        replayed.unseen = self._new.sessions.unseen - before
        return replayed

    def _one(self, each: Recorded, place: str, replayed: Replayed, tell: Tell) -> None:
        then = each.then.get("policy") if each.then is not None else ""
        known = then if isinstance(then, str) else ""
        decision = _decided(self._new, each, known)
        old = _decided(self._old, each, known) if self._old is not None else None
        event = {} if isinstance(each.event, EventError) or each.event is None else each.event
        if self.covering is not None and event:
            self.covering.note(event, each.then is not None)
        hit = replayed.add(decision, event, place, old, each.whole)
        if hit is not None:
            tell(hit)
        if self._rows:
            state = state_of(decision, old, each.whole) if old is not None else ""
            tell(row_of(decision.to_dict(), event, place, state, old.verdict if old is not None else ""))
        if each.then is not None and old is None:
            replayed.compare(decision, each.then, each.whole, place)


def _decidable(name: str, lines: Iterable[Recorded], summed: Replayed) -> Iterator[tuple[str, Recorded]]:
    """Yield the lines of a recording that hold an event, each with its place; count the others."""
    for each in lines:
        place = f"{name}:{each.line}"
        if each.damaged:
            summed.damage_at(place, str(each.event))
        elif each.unknown:
            summed.unknown[each.unknown] += 1
        elif each.event is None:
            summed.failed += 1
        else:
            yield place, each


def _end(pasts: Iterable[RecordedSessions], event: object) -> None:
    """Let the pasts of a session go that ends with this event."""
    if isinstance(event, dict) and event.get("hook") == "session_end":
        for past in pasts:
            past.let_go(event.get("session"))


def _decided(decider: _Decider, each: Recorded, then: str) -> Decision:
    log = each.then is not None
    return decide_recorded(lambda event: decider.decide(event, then, log), each, decider.digest)


def changed_events(names: Iterable[str], old: Program, new: Program, summed: Replayed) -> Iterator[Changed]:
    """Decide recordings by two programs, and yield the events that are certainly decided otherwise.

    Args:
        names: paths of recordings.
        summed: gets the sum.

    Raises:
        ConfigurationError: one of them is no recording, or cannot be read.
    """
    filesystem = worlds()
    before, after = (_Decider((), False, filesystem, scanning(program)) for program in (old, new))
    for name in names:
        summed.recordings += 1
        for decider in (before, after):
            decider.sessions.forget()
        for place, each in _decidable(name, recording(name), summed):
            if isinstance(each.event, dict):
                was, now = _decided(before, each, ""), _decided(after, each, "")
                summed.add(now, each.event, place, was, each.whole)
                if state_of(now, was, each.whole) == CHANGED:
                    yield Changed(each.event, place, was, now)
                _end((before.sessions, after.sessions), each.event)


_MARK = re.compile("‹redacted:[^›]*›")


def _secrets(event: dict[str, Any], place: str, salt: str, replayed: Replayed) -> None:
    """Count the secrets of an event, each by a mark that does not tell it."""
    tool = event.get("tool")
    parts = {
        "prompt": event.get("prompt"), "answer": event.get("answer"), "result": event.get("result"),
        "call": tool.get("args") if isinstance(tool, dict) and event.get("hook") == "before_tool" else None,
    }  # fmt: skip
    for where, value in parts.items():
        if value:
            for mark in dict.fromkeys(_MARK.findall(str(redacted({where: value}, salt).get(where)))):
                replayed.secret(mark, where, place, str(event.get("session")))


def sampled(names: Iterable[str], one_of: int) -> list[str]:
    """Return one of so many recordings: the same ones each time, whatever the others are."""

    def chosen(name: str) -> bool:
        digest = hashlib.sha256(os.path.basename(name).encode("utf-8", "surrogatepass")).digest()
        return int.from_bytes(digest[:8], "big") % one_of == 0

    return [name for name in names if one_of <= 1 or chosen(name)]


_here: list[tuple[Replayer, Replay]] = []
"""The replayer of this process, one of a pool or the only one."""
GARBAGE = 20_000  # objects after which cycles are looked for: an event makes some hundred, nearly all without any


def _prepare(replay: Replay) -> None:
    _here[:] = [(Replayer(replay), replay)]
    gc.set_threshold(GARBAGE, *gc.get_threshold()[1:])
    gc.freeze()  # the policies stay, and are more than all that a recording leaves


def _in_pool(name: str) -> Part:
    return _one(*_here[0], name)


def _one(replayer: Replayer, replay: Replay, name: str) -> Part:
    part = Part(replayer.empty(), [], [])

    def tell(each: Hit | Row) -> None:
        if isinstance(each, Row):
            part.rows.append(each)
        elif replay.keep:
            part.hits.append(each)

    try:
        part.sum = replayer.replay(name, tell)
    except ConfigurationError:
        if replay.strict:
            raise
        part.sum.other_files = 1
    if replayer.covering is not None:
        part.noted = replayer.covering.coverage.take()
    return part


def _anywhere(replay: Replay, folder: str, name: str) -> Part:
    """Decide a recording in a process of a cluster, which keeps its policies from one to the next."""
    os.chdir(folder)
    if not _here or _here[0][1] != replay:
        _prepare(replay)
    return _in_pool(name)


def on_cluster(replay: Replay, names: list[str], address: str) -> Iterator[Part]:
    """As `replayed`, by the machines of a Ray cluster; a recording whose process is lost is decided again.

    Args:
        replay: what decides; its policies and the recordings stand at the same paths on each machine.
        names: paths of recordings.
        address: of the cluster, `local` for one on this machine alone.

    Raises:
        ConfigurationError: Ray is not installed, or there is no such cluster.
    """
    try:
        import ray
    except ImportError:
        raise ConfigurationError("`--on` needs the extra `ray`: install `policy_engine[ray]`") from None
    yield Part(Replayer(replay).empty(), [], [])
    try:
        ray.init(None if address == LOCAL else address, include_dashboard=False, log_to_driver=False)
    except (ConnectionError, ValueError, RuntimeError) as problem:
        raise ConfigurationError(f"no cluster at `{address}`: {str(problem).splitlines()[0]}") from None
    try:
        decide = ray.remote(max_retries=RETRIES)(_anywhere)
        most = AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
        waiting: deque[Any] = deque()
        for name in names:
            waiting.append(decide.remote(replay, os.getcwd(), name))
            if len(waiting) >= most:
                yield ray.get(waiting.popleft())
        while waiting:
            yield ray.get(waiting.popleft())
    except ray.exceptions.RayTaskError as problem:
        raise ConfigurationError(str(problem.cause)) from None
    finally:
        ray.shutdown()


LOCAL = "local"
RETRIES = 5  # of a recording whose process is lost
AHEAD = 4  # recordings of each processor that are given out before the first is back


def replayed(replay: Replay, names: list[str], jobs: int) -> Iterator[Part]:
    """Yield what came of each recording in the order of the names, of none first.

    Args:
        replay: what decides.
        names: paths of recordings; `-` for none.
        jobs: how many processes decide; 1 is this one.
    """
    if jobs > 1 and len(names) > 1:
        yield Part(Replayer(replay).empty(), [], [])
        with ProcessPoolExecutor(min(jobs, len(names)), get_context("spawn"), _prepare, (replay,)) as pool:
            yield from pool.map(_in_pool, names)
    else:
        before = gc.get_threshold()
        try:
            _prepare(replay)
            yield Part(_here[0][0].empty(), [], [])
            for name in names:
                yield _in_pool(name)
        finally:
            _here.clear()
            gc.unfreeze()
            gc.set_threshold(*before)

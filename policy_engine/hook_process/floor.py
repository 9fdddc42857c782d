"""Decide which policies hold in a session: those of now, and whatever is gone of those with which it began.

A session's policies are a floor. What it began with is kept twice: by session beside the store, and among the latest
sessions of the workspace in the cache, so that a record that is removed is noticed. As long as nothing changed an event
costs one small file; where something did, `floored` works out what is retained, once for each pair of sets, and the
Program of both is in the cache like any other. Imported by the hook path.
"""

from __future__ import annotations

import marshal
import posix
import time
from _blake2 import blake2b

from policy_engine.state.beside import path_of, replace
from policy_engine.state.own_file import read_all
from policy_engine.state.places import active_name, cache_folder, state_folder
from policy_engine.state.sealed import CacheMiss, read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from policy_engine.loading.live import Live
    from policy_engine.model.decision import RuleResult
    from policy_engine.model.event import Event

FOLDER, SETS, LATEST = "floors", "policies", "floors"
MISSING = "missing"
"""The name of what a session began with of which no record is left."""
MOST = 32  # sessions of a workspace that are known beside their own records
ADVICE = "`policy adopt`, which a person runs in a terminal, shows the difference and lets the new policy decide"
_CHECK = 16
_CALL = 80  # characters of a call that a sentence names
CALLS = b"policy_engine/hook.py"  # what settings say that call the hook
_FIELDS = ("session", "active", "workspace", "floor", "seen", "covered", "cause", "at", "hooks")
_TYPES = {"at": int, "hooks": tuple}


class Unknown(Exception):
    """Report that nobody can know any more what a session began with; the text says why."""


class Record:
    """Describe what one session began with in one workspace.

    `floor` names the set of policies, `seen` the set that was in force at its latest event, `covered` a set beside
    which nothing need be retained; `cause` is the call during which it was last said that something changed, `at` when
    it was heard of last, in ms. `hooks` are the settings that called the hook when it began, as they looked
    (cache/reader.py).
    """

    __slots__ = _FIELDS

    def __init__(
        self, session: str, active: str, workspace: str, floor: str, at: int, hooks: tuple[Any, ...] = ()
    ) -> None:
        self.session, self.active, self.workspace, self.at, self.hooks = session, active, workspace, at, hooks
        self.floor = self.seen = self.covered = floor
        self.cause = ""

    def values(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in _FIELDS)

    @classmethod
    def of(cls, values: Any) -> Record:
        """Raises Unknown for anything but `values`."""
        record = cls.__new__(cls)
        try:
            for name, value in zip(_FIELDS, values, strict=True):
                if type(value) is not _TYPES.get(name, str):
                    raise TypeError
                setattr(record, name, value)
        except (TypeError, ValueError):
            raise Unknown("its record is damaged") from None
        return record


class Floor:
    """The policies that hold for an event, what is said of their change, and the reason if that is not known."""

    __slots__ = ("live", "said", "unknown")

    def __init__(self, live: Live, said: str = "", unknown: str = "") -> None:
        self.live = live
        self.said = said
        self.unknown = unknown


def set_name(live: Live) -> str:
    """The name of what is in force, with what is lacking of it."""
    return active_name(live.program.digest, *live.lacking)


def held(
    event: Event, live: Live, compiling: Callable[[], None], settings: Iterable[str] = (), missing: bool = False
) -> Floor:
    """Return what holds for an event of a workspace with these policies, and record it for the session.

    `settings` are the files in which the host may be told to call the hook; `missing`: the session is no new one.
    """
    from policy_engine.loading.live import Live

    try:
        record = _record(event, live)
        if record is None and missing:
            record = Record(event.session, live.active, event.workspace or "", MISSING, now_ms())
            write_record(record)
        lost = _unregistered(record, event) if record is not None and record.hooks else ""
        found = _held(record, event, live, compiling, settings)
        found.said = " ".join(part for part in (found.said, lost) if part)
        return found
    except Unknown as error:
        return Floor(live, "", f"what was in force when this session began is not known: {error}")
    except OSError as error:  # nothing of the engine's own can be kept here, which rules that ask the past say as well
        why = f"the policies with which this session begins cannot be kept: {error.strerror}"
        return Floor(Live(live.program, (*live.errors, why), live.lacking, live.active, live.folders))


def _held(
    record: Record | None, event: Event, live: Live, compiling: Callable[[], None], settings: Iterable[str]
) -> Floor:
    """Raises Unknown, and OSError where a record cannot begin."""
    now = set_name(live)
    if record is not None and record.floor == MISSING:
        raise Unknown("its record is missing")
    if record is not None and now == record.seen:
        found = live if now in (record.floor, record.covered) else _composed(record, live, now)
        if found is not None:
            return Floor(found)
    hooks = _calling(settings) if record is None else ()
    if record is None and _begins_as_before(event, live, now, hooks):
        return Floor(live)
    compiling()
    from policy_engine.loading.live import add_site_packages

    add_site_packages()
    from policy_engine.hook_process.floored import began, changed

    return began(event, live, hooks) if record is None else changed(record, event, live)


def words(event: Event, floor: Floor, told: bool) -> list[RuleResult]:
    """Return the message about a change, for the person and, if `told`, the model; a refusal if it is unknown."""
    if not floor.said and not floor.unknown:
        return []
    from policy_engine.model.points import failure_verdict
    from policy_engine.runtime.resolve import own_word

    if floor.unknown:
        point, verdict = event.hook, failure_verdict(event.hook)
        verdict = "ask" if point in ("before_tool", "before_permission") else "warn" if point == "prompt" else verdict
        return [own_word("undecided", verdict, f"{floor.unknown[:1].upper()}{floor.unknown[1:]}; {ADVICE}.", "")]
    return [own_word("violated", verdict, floor.said, "") for verdict in (("warn", "remind") if told else ("warn",))]


def _record(event: Event, live: Live) -> Record | None:
    """The session's record, or the workspace's copy of it; None if it begins. Raises Unknown."""
    path, there = record_path(event.session, live.active), True
    try:
        return read_record(path)
    except Unknown:
        try:
            posix.lstat(path)
        except OSError:
            there = False
        mine = [one for one in latest(live.active) if one.session == event.session]
        if not mine and there:
            raise
    if not mine:
        return None
    keep(mine[-1])
    return mine[-1]


def _calling(settings: Iterable[str]) -> tuple[Any, ...]:
    """Those of the files that call the hook, as they look."""
    from policy_engine.cache.reader import look

    found = []
    for path in settings:
        try:
            if _calls(path):
                found.append(look(path))
        except CacheMiss:
            continue
    return tuple(found)


def _calls(path: str) -> bool:
    try:
        file = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NONBLOCK)
    except OSError:
        return False
    try:
        return posix.fstat(file).st_mode & 0o170000 == 0o100000 and CALLS in read_all(file)
    except OSError:
        return False
    finally:
        posix.close(file)


def _unregistered(record: Record, event: Event) -> str:
    """Return the message about settings that called the hook and do not any more, once."""
    from policy_engine.cache.reader import look

    kept, lost = [], []
    for seen in record.hooks:
        try:
            now = look(seen[0])
        except CacheMiss:
            now = seen
        if now == seen or _calls(seen[0]):
            kept.append(now)
        else:
            lost.append(seen[0])
    if tuple(kept) == record.hooks:
        return ""
    record.hooks = tuple(kept)
    keep(record)
    if not lost:
        return ""
    files = ", ".join(f"`{path}`" for path in lost)
    return (
        f"{files} called the policy engine and does not any more (it changed {cause_of(event)}): a session that starts"
        " from now on may run without it. `policy doctor` shows what calls it, `policy install` repairs it."
    )


def cause_of(event: Event) -> str:
    """Return in words when a change was noticed, without secrets."""
    if event.hook != "after_tool":
        return "since the last event"
    arguments = event.tool_args or {}
    what = arguments.get("command") or arguments.get("file_path") or arguments.get("path") or ""
    from policy_engine.hook_process.native import shown as redacted

    line = redacted(" ".join(str(what).split()))
    shown = line if len(line) <= _CALL else f"{line[: _CALL - 1]}…"
    return f"during `{shown}`" if shown else f"during a call of `{event.tool_name}`"


def _begins_as_before(event: Event, live: Live, now: str, hooks: tuple[Any, ...]) -> bool:
    """Begin the session's record, if its policies are kept and are those of the last session here. Raises OSError."""
    before = latest(live.active)
    if not before or {before[-1].floor, before[-1].seen} != {now}:
        return False
    try:
        posix.utime(set_path(now))  # it is in use
    except OSError:
        return False
    write_record(Record(event.session, live.active, event.workspace or "", now, now_ms(), hooks))
    return True


def _composed(record: Record, live: Live, now: str) -> Live | None:
    """The Program of both sets out of the cache."""
    from policy_engine.cache.reader import open_program, read_head
    from policy_engine.loading.live import Live as Found
    from policy_engine.runtime.names import LazyNames

    try:
        head = read_head(f"{cache_folder()}/active/{composed_name(record.floor, now)}")
    except CacheMiss:
        return None

    def repair() -> Any:
        from policy_engine.loading.live import add_site_packages

        add_site_packages()
        from policy_engine.hook_process.floored import composed

        return composed(record, live).program

    return Found(open_program(head, LazyNames(), repair), live.errors, head.lacking, live.active, live.folders)


def composed_name(floor: str, now: str) -> str:
    """The cache entry of what holds where a session that began with one set has come to another."""
    return active_name("floor", floor, now)


# ---- records -------------------------------------------------------------------------------------------------------


def record_path(session: str, active: str) -> str:
    """The record of a session in one workspace."""
    return path_of(FOLDER, f"{session}\0{active}")


def read_record(path: str) -> Record:
    """Raises Unknown."""
    return Record.of(unpacked(path))


def write_record(record: Record) -> None:
    """Keep it in both places. Raises OSError if it is in neither."""
    others = [one for one in latest(record.active) if one.session != record.session]
    kept: OSError | None = None
    try:
        replace(_latest_path(record.active), packed([one.values() for one in [*others, record][-MOST:]]))
    except OSError as error:
        kept = error
    try:
        replace(record_path(record.session, record.active), packed(record.values()))
    except OSError:
        if kept is not None:
            raise


def keep(record: Record) -> None:
    """The same of a session that is known already: at worst it is told twice of one change."""
    try:
        write_record(record)
    except OSError:
        return


def latest(active: str) -> list[Record]:
    """The latest sessions of a workspace, the one heard of last at the end; none where that is not known."""
    try:
        return [Record.of(values) for values in unpacked(_latest_path(active))]
    except (Unknown, TypeError):
        return []


def _latest_path(active: str) -> str:
    return f"{cache_folder()}/{LATEST}/{active}"


def set_path(name: str) -> str:
    """The sources of a set of policies."""
    return f"{state_folder()}/{SETS}/{name}"


def packed(value: Any) -> bytes:
    """A value with its checksum, as every version of the engine reads it."""
    data = marshal.dumps(value, 2)
    return blake2b(data, digest_size=_CHECK).digest() + data


def unpacked(path: str) -> Any:
    """The value in a file that only this user can have written. Raises Unknown."""
    try:
        data = read_file(path)
    except CacheMiss as error:
        raise Unknown(str(error)) from None
    if blake2b(data[_CHECK:], digest_size=_CHECK).digest() != data[:_CHECK]:
        raise Unknown(f"{path} is damaged")
    try:
        return marshal.loads(data[_CHECK:])
    except (ValueError, EOFError, TypeError):
        raise Unknown(f"{path} is damaged") from None


def now_ms() -> int:
    """Milliseconds since the epoch."""
    return time.time_ns() // 1_000_000

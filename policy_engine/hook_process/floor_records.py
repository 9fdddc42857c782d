"""Keep the record of what a session began with: by session beside the store, and by workspace in the cache.

Imported by the hook path.
"""

from __future__ import annotations

import marshal
import time
from _blake2 import blake2b

from policy_engine.state.places import active_name, cache_folder, state_folder
from policy_engine.state.sealed import CacheMiss, read_file
from policy_engine.state.side_files import path_of, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.loading.active import Live
    from policy_engine.model.event import Event

FOLDER, SETS, LATEST = "floors", "policies", "floors"
MISSING = "missing"
"""The name of what a session began with of which no record is left."""
MOST = 32  # sessions of a workspace that are known beside their own records
_CHECK = 16
_CALL = 80  # characters of a call that a sentence names
_DURING, _AGREED = "during ", ", to which a person agreed"
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
    """The policies that hold for an event, what is said of their change, and the reason if that is not known.

    `unchanged`: they are those with which the session began, so that what they approve was there before the agent was.
    """

    __slots__ = ("live", "said", "unchanged", "unknown")

    def __init__(self, live: Live, notice: str = "", unknown: str = "", unchanged: bool = False) -> None:
        self.live = live
        self.said = notice
        self.unknown = unknown
        self.unchanged = unchanged


def set_name(live: Live) -> str:
    """The name of what is in force, with what is lacking of it."""
    return active_name(live.program.digest, *live.lacking)


def cause_of(event: Event, agreed: bool = False) -> str:
    """Return in words when a change was noticed, without secrets; `agreed`: a person was asked about the call."""
    if event.hook != "after_tool":
        return "since the last event"
    arguments = event.tool_args or {}
    what = arguments.get("command") or arguments.get("file_path") or arguments.get("path") or ""
    from policy_engine.audit.display import redact_shown

    line = redact_shown(" ".join(str(what).split()))
    shown = line if len(line) <= _CALL else f"{line[: _CALL - 1]}…"
    return f"{_DURING}{f'`{shown}`' if shown else f'a call of `{event.tool_name}`'}{_AGREED if agreed else ''}"


def is_unasked(cause: str) -> bool:
    """Return whether a change came with a call about which nobody was asked."""
    return cause.startswith(_DURING) and not cause.endswith(_AGREED)


def composed_name(floor: str, now: str) -> str:
    """The cache entry of what holds where a session that began with one set has come to another."""
    return active_name("floor", floor, now)


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

"""Decide which policies hold in a session: those of now, and whatever is gone of those with which it began.

A session's policies are a floor. What it began with is kept twice (`floor_records`), so that a record that is removed
is noticed. As long as nothing changed an event
costs one small file; where something did, `floored` works out what is retained, once for each pair of sets, and the
Program of both is in the cache like any other. Imported by the hook path.
"""

from __future__ import annotations

import posix

from policy_engine.hook_process.floor_records import (
    MISSING,
    Floor,
    Record,
    Unknown,
    cause_of,
    composed_name,
    keep,
    latest,
    now_ms,
    read_record,
    record_path,
    set_name,
    set_path,
    write_record,
)
from policy_engine.state.own_file import read_all
from policy_engine.state.places import cache_folder
from policy_engine.state.sealed import CacheMiss

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from policy_engine.loading.active import Live
    from policy_engine.model.decision import RuleResult
    from policy_engine.model.event import Event

ADVICE = "`policy adopt`, which a person runs in a terminal, shows the difference and lets the new policy decide"
_CALLS = (b"policy_engine/hook.py", b"policy hook ")  # what settings say that call the hook


def held(
    event: Event,
    live: Live,
    compiling: Callable[[], None],
    settings: Iterable[str] = (),
    missing: bool = False,
    agreed: bool = False,
) -> Floor:
    """Return what holds for an event of a workspace with these policies, and record it for the session.

    `settings` are the files in which the host may be told to call the hook; `missing`: the session is no new one;
    `agreed`: a person was asked about the call that ended.
    """
    from policy_engine.loading.active import Live

    try:
        record = _record(event, live)
        if record is None and missing:
            record = Record(event.session, live.active, event.workspace or "", MISSING, now_ms())
            write_record(record)
        lost = _unregistered(record, event, agreed) if record is not None and record.hooks else ""
        floor = _held(record, event, live, compiling, settings, agreed)
        broken = f"{'; '.join(live.errors)}." if record is None and live.errors else ""
        floor.said = " ".join(part for part in (broken[:1].upper() + broken[1:], floor.said, lost) if part)
        return floor
    except Unknown as error:
        return Floor(live, "", f"what was in force when this session began is not known: {error}")
    except OSError as error:  # nothing of the engine's own can be kept here, which rules that ask the past say as well
        why = f"the policies with which this session begins cannot be kept: {error.strerror}"
        return Floor(Live(live.program, (*live.errors, why), live.lacking, live.active, live.folders))


def _held(
    record: Record | None,
    event: Event,
    live: Live,
    compiling: Callable[[], None],
    settings: Iterable[str],
    agreed: bool,
) -> Floor:
    """Raises Unknown, and OSError where a record cannot begin."""
    now = set_name(live)
    if record is not None and record.floor == MISSING:
        raise Unknown("its record is missing")
    if record is not None and now == record.seen:
        composed = live if now in (record.floor, record.covered) else _composed(record, live, now)
        if composed is not None:
            return Floor(composed, unchanged=now == record.floor)
    hooks = _calling(settings) if record is None else ()
    if record is None and _begins_as_before(event, live, now, hooks):
        return Floor(live, unchanged=True)
    compiling()
    from policy_engine.loading.active import add_site_packages

    add_site_packages()
    from policy_engine.hook_process.floored import began, changed

    return began(event, live, hooks) if record is None else changed(record, live, cause_of(event, agreed))


def words(event: Event, floor: Floor, is_reported: bool) -> list[RuleResult]:
    """Return the message about a change, for the person and, if `is_reported`, the model; a refusal if unknown."""
    if not floor.said and not floor.unknown:
        return []
    from policy_engine.model.points import failure_verdict
    from policy_engine.runtime.resolve import own_word

    if floor.unknown:
        point, verdict = event.hook, failure_verdict(event.hook)
        verdict = "ask" if point in ("before_tool", "before_permission") else "warn" if point == "prompt" else verdict
        return [own_word("undecided", verdict, f"{floor.unknown[:1].upper()}{floor.unknown[1:]}; {ADVICE}.", "")]
    return [
        own_word("violated", verdict, floor.said, "") for verdict in (("warn", "remind") if is_reported else ("warn",))
    ]


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

    callers = []
    for path in settings:
        try:
            if _calls(path):
                callers.append(look(path))
        except CacheMiss:
            continue
    return tuple(callers)


def _calls(path: str) -> bool:
    try:
        file = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NONBLOCK)
    except OSError:
        return False
    try:
        if posix.fstat(file).st_mode & 0o170000 != 0o100000:
            return False
        data = read_all(file)
        return any(words in data for words in _CALLS)
    except OSError:
        return False
    finally:
        posix.close(file)


def _unregistered(record: Record, event: Event, agreed: bool) -> str:
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
        f"{files} called the policy engine and does not any more (it changed {cause_of(event, agreed)}): a session that"
        " starts from now on may run without it. `policy doctor` shows what calls it, `policy install` repairs it."
    )


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
    from policy_engine.loading.active import Live as Found
    from policy_engine.runtime.names import LazyNames

    try:
        head = read_head(f"{cache_folder()}/active/{composed_name(record.floor, now)}")
    except CacheMiss:
        return None

    def repair() -> Any:
        from policy_engine.loading.active import add_site_packages

        add_site_packages()
        from policy_engine.hook_process.floored import composed

        return composed(record, live).program

    return Found(open_program(head, LazyNames(), repair), live.errors, head.lacking, live.active, live.folders)

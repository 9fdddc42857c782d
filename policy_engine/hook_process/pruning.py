"""Drop what lies beside the store, and in the cache, for sessions and workspaces that are long over: a step an hour.

A session's small files (state/side_files.py) go together, if none of them was written for SESSION_DAYS; that a run was
stopped stays until a person speaks. Of a workspace whose policies did not change for as long go the head of the cache
and the record of its load, which the next event there makes anew; then the programs that no head names. The last good
sources of a policy stay. The decision log bounds itself (audit/parts.py), the store too (state/session_pruning.py).
Imported by the hook path only when a step is due.
"""

from __future__ import annotations

import posix
import time

from policy_engine.cache.reader import read_head
from policy_engine.hook_process import approval, continuing, origin, pairing, planned, stopped, workspace
from policy_engine.model.limits import PRUNE_LOOKS, SESSION_DAYS
from policy_engine.runtime import observing
from policy_engine.state.own_file import replace_own
from policy_engine.state.places import PRUNED, STATUS, cache_folder, state_folder
from policy_engine.state.sealed import CacheMiss
from policy_engine.state.session_pruning import DAY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_OF_SESSIONS = (workspace.FOLDER, origin.FOLDER, pairing.FOLDER, planned.FOLDER, continuing.FOLDER)
_ASIDE = ".corrupt-"
_DRAFT = ".new"


def prune() -> None:
    """Take one step. Raises OSError, ConfigurationError without a home."""
    state, cache, now = state_folder(), cache_folder(), time.time()
    replace_own(f"{state}/{PRUNED}", b"")  # first: where nothing can be written, nothing is looked for
    old, yesterday = now - SESSION_DAYS * DAY, now - DAY
    for folder in _OF_SESSIONS:
        for name in _older(f"{state}/{folder}", old):
            _drop_session(state, name, old)
    for name in _older(f"{state}/{stopped.FOLDER}", yesterday):
        if name.endswith(_DRAFT):
            _unlink(f"{state}/{stopped.FOLDER}/{name}")
    for name in _older(state, yesterday):
        if (name[:1] == "." and name.endswith(_DRAFT)) or (_ASIDE in name and _written(f"{state}/{name}") < old):
            _unlink(f"{state}/{name}")
    drop_older(f"{state}/{STATUS}", old)
    drop_older(f"{state}/{approval.FOLDER}", now - approval.APPROVAL_SECONDS)
    drop_older(f"{state}/{observing.FOLDER}", old)
    drop_older(f"{cache}/active", old)
    _drop_programs(cache, yesterday)


def _drop_session(state: str, name: str, old: float) -> None:
    """Drop a session's files unless one of them was written since."""
    paths = [f"{state}/{folder}/{name}" for folder in (*_OF_SESSIONS, stopped.FOLDER)]
    if all(_written(path) < old for path in paths):
        for path in paths[:-1]:
            _unlink(path)


def _drop_programs(cache: str, before: float) -> None:
    """Drop the compiled programs that no head names. One in use all the same is compiled again."""
    named = set()
    for name in _names(f"{cache}/active"):
        try:
            named.add(read_head(f"{cache}/active/{name}").folder)
        except CacheMiss:
            continue
    for name in _older(f"{cache}/programs", before):
        folder = f"{cache}/programs/{name}"
        if folder not in named:
            for part in _names(folder):
                _unlink(f"{folder}/{part}")
            try:
                posix.rmdir(folder)
            except OSError:
                continue


def drop_older(folder: str, before: float) -> None:
    """Drop what in a folder was written last before a time; of a long list another part every time."""
    for name in _older(folder, before):
        _unlink(f"{folder}/{name}")


def _older(folder: str, before: float) -> Iterator[str]:
    """Return what in a folder was written last before a time; of a long list another part every time."""
    names = _names(folder)
    start = time.time_ns() // 1000 % len(names) if len(names) > PRUNE_LOOKS else 0
    for name in (names[start:] + names[:start])[:PRUNE_LOOKS]:
        if 0 < _written(f"{folder}/{name}") < before:
            yield name


def _names(folder: str) -> list[str]:
    try:
        names: list[str] = posix.listdir(folder)
    except FileNotFoundError:
        return []
    return names


def _written(path: str) -> float:
    """Return when a file was written last, 0 if there is none."""
    try:
        return posix.lstat(path).st_mtime
    except OSError:
        return 0


def _unlink(path: str) -> None:
    try:
        posix.unlink(path)
    except OSError:
        return

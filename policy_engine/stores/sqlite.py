"""`SqliteStore`: one SQLite file, shared by all hook processes of a user; short waits.

Each blob carries its length and checksum; a damaged one is LOST. A damaged file is set aside (renamed), one that is
older than its count of commits begins a new epoch: either is reported once, and every session that the file knows only
from an earlier epoch is LOST, and for a day every one that it does not know unless it starts with the event. Of
one whose past was too old to be kept a row stays, so that it is LOST and not new (state/session_pruning.py). A session
that missed an event has a file of its own beside the store until it is LOST in there. Uses the C module below
`sqlite3`, whose Python half costs more than a decision. Imported by the hook path.
"""

from __future__ import annotations

import posix
import time

from policy_engine.model.errors import StoreError
from policy_engine.model.limits import PRUNE_COMMITS
from policy_engine.state.commit_count import held, hold, read_count, write_count
from policy_engine.state.lean_sqlite import sqlite
from policy_engine.state.missed_events import MissedEvents
from policy_engine.state.own_file import check_folder, exists, failure
from policy_engine.state.private_key import read_key
from policy_engine.state.session_file import BUSY_MS, clocks, connected, is_busy, knows, new_epoch, translated
from policy_engine.stores.base import LOST, Store, sealed, unsealed

TYPE_CHECKING = False
if TYPE_CHECKING:
    import _sqlite3
    from collections.abc import Iterator
    from typing import Any

else:
    _sqlite3 = sqlite()

_DAY = 86_400
_NOBODY = ""  # the id of no session
_LEFT: list[object] = []  # connections of the process that this one is a copy of: to close them here would harm them
LONGEST_MS = 2_000  # in a queue of many, well within the hook's own deadline
_SELECT = (
    "SELECT commits, epoch, marked, ticked, (SELECT state FROM session WHERE id = ?),"
    " (SELECT epoch FROM session WHERE id = ?) FROM store"
)
_UPSERT = (
    "INSERT INTO session VALUES (?, ?, ?, ?)"
    " ON CONFLICT (id) DO UPDATE SET state = excluded.state, touched = excluded.touched, epoch = excluded.epoch"
)
_COUNT = "UPDATE store SET commits = ?"
_ENTRY = "SELECT place, value FROM entry WHERE session = ? AND shelf = ? AND key = ?"
_ENTRIES = "SELECT key, place, value FROM entry WHERE session = ? AND shelf = ? ORDER BY place"
_PUT = "INSERT INTO entry VALUES (?, ?, ?, ?, ?) ON CONFLICT (session, shelf, key) DO UPDATE SET place = ?, value = ?"


class SqliteStore(Store):
    """A store in the file at `path` (absolute); folders above it must exist."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._connection: _sqlite3.Connection | None = None
        self._inode = 0
        self._commits = 0
        self._epoch = 0
        self._marks = MissedEvents(path)
        self._new = False  # whether the session of the event was not known
        self._held = -1
        self._process = posix.getpid()

    def begin(self, session: str, starts: bool = False) -> bytes | None:
        try:
            connection = self._connected()
            _begin(connection, self.path)
            row = connection.execute(_SELECT, (session, session)).fetchone()
            if row is None or any(type(value) is not int for value in row[:4]):
                raise failure("corrupt", "the state file lacks its count of commits")
            self._commits, self._epoch, marked, ticked, state, epoch = row
            self._compare(connection)
            self._held = hold(self.path)
        except _sqlite3.Error as error:
            raise self._translated(error) from None
        except StoreError:
            self.rollback()
            raise
        self._new = state is None
        before = self._epoch and not starts and _recent(marked, ticked)
        self.rest = unsealed(state) if state is not None or before else b""
        missed = self._marks.take(session)
        self.missed = missed or b""
        if missed is not None:
            if before or (state is not None and epoch != self._epoch):
                self.missed = b""  # more is missing than the events that said so
            return LOST
        if state is None:
            return LOST if before else None
        return LOST if self.rest is None or epoch != self._epoch else self.rest

    def _compare(self, connection: _sqlite3.Connection) -> None:
        """Check that the file holds all that was ever committed. Raises StoreError, once, if it does not."""
        kept = read_count(self.path)
        if kept is None and not self._commits:
            write_count(self.path, 0)
            return
        if kept is not None and 0 <= kept <= self._commits:
            return
        why = "the state file is older than what was last written to it"
        if kept is None or kept < 0:
            why = "the count of commits beside the state file is " + ("gone" if kept is None else "damaged")
        new_epoch(connection, kept or 0, why)
        connection.execute("COMMIT")
        write_count(self.path, max(kept or 0, self._commits) + 1)
        raise failure("lost", f"{why}; what the sessions in it did before is lost")

    def entry(self, session: str, table: str, key: str) -> tuple[int, bytes] | None:
        row = self._run(_ENTRY, session, table, _text(key)).fetchone()
        return None if row is None else (row[0], _whole(row[1]))

    def entries(self, session: str, table: str) -> Iterator[tuple[str, int, bytes]]:
        for key, place, blob in self._run(_ENTRIES, session, table):
            yield key.decode("utf-8", "surrogatepass"), place, _whole(blob)

    def put(self, session: str, table: str, key: str, place: int, blob: bytes) -> None:
        kept = sealed(blob)
        self._run(_PUT, session, table, _text(key), place, kept, place, kept)

    def drop(self, session: str, table: str, key: str | None) -> None:
        if key is None:
            self._run("DELETE FROM entry WHERE session = ? AND shelf = ?", session, table)
        else:
            self._run("DELETE FROM entry WHERE session = ? AND shelf = ? AND key = ?", session, table, _text(key))

    def _run(self, statement: str, *values: Any) -> Any:
        try:
            return self._connected().execute(statement, values)
        except _sqlite3.Error as error:
            raise self._translated(error) from None

    def commit(self, session: str, blob: bytes) -> None:
        now = int(time.time())
        self._run(_UPSERT, session, sealed(blob), now, self._epoch)
        self._keep()
        self._marks.done()
        if self._new or not self._commits % PRUNE_COMMITS:
            self._prune(now)

    def _prune(self, now: int) -> None:
        """Drop a few pasts that are too old; who has no time or room for it leaves it to a later event."""
        from policy_engine.state.session_pruning import prune

        try:
            prune(self._connected(), now)
        except (_sqlite3.Error, StoreError):
            self.rollback()

    def _keep(self) -> None:
        self._run(_COUNT, self._commits + 1)
        self._run("COMMIT")
        self._release()
        write_count(self.path, self._commits + 1)

    def key(self) -> bytes:
        try:
            return read_key(f"{self.path}.key")
        except OSError as error:
            raise failure("readonly", f"the key beside the state file cannot be read ({error})") from None

    def present(self) -> bool:
        return exists(self.path)

    def knows(self, session: str) -> bool:
        return self.present() and knows(self.path, session)

    def check(self) -> tuple[int, str]:
        self.begin(_NOBODY)
        marked, why = self._run("SELECT marked, why FROM store").fetchone()
        self._keep()
        return marked, why

    def lose(self, session: str, kind: bytes) -> None:
        self._marks.add(session, kind)

    def _release(self) -> None:
        if self._held >= 0:
            posix.close(self._held)
            self._held = -1

    def rollback(self) -> None:
        self._release()
        if self._connection is not None and self._connection.in_transaction:
            try:
                self._connection.execute("ROLLBACK")
            except _sqlite3.Error:
                self.close()

    def close(self) -> None:
        self._release()
        connection, self._connection = self._connection, None
        if connection is not None:
            try:
                connection.close()
            except _sqlite3.Error:
                self._connection = None  # nothing is left to be given up

    def __del__(self) -> None:
        self.close()  # a store that nobody has any more must not hold up others

    def latest(self) -> str:
        row = self._run("SELECT id FROM session ORDER BY touched DESC LIMIT 1").fetchone()
        return "" if row is None else str(row[0])

    def _connected(self) -> _sqlite3.Connection:
        if self._process != posix.getpid():
            self._leave()
        if self._connection is not None and not self._connection.in_transaction and self._replaced():
            self.close()
        if self._connection is None:
            check_folder(self.path)
            self._connection, self._inode = connected(self.path)
        return self._connection

    def _leave(self) -> None:
        """Leave the connection of the parent process to it: a copy of the process makes its own."""
        _LEFT.append(self._connection)
        self._process, self._connection = posix.getpid(), None
        self._release()

    def _replaced(self) -> bool:
        """Return whether the path leads elsewhere by now: nobody reads what is written to a removed file."""
        try:
            return bool(posix.lstat(self.path).st_ino != self._inode)
        except OSError:
            return True

    def _translated(self, error: _sqlite3.Error) -> StoreError:
        """Return the stable word for what SQLite says; the transaction is over, a damaged file is out of the way."""
        self.rollback()
        if not is_busy(error):
            self.close()
        return translated(error, self.path, self._inode)


def _begin(connection: _sqlite3.Connection, path: str) -> None:
    """Take the write lock. While events of others hold it, or commit, waiting is worth it, up to LONGEST_MS.

    Where a hundred processes share a processor, who holds the lock waits for its turn as well. Anybody else who holds
    it is given BUSY_MS of naps.
    """
    latest = time.monotonic() + LONGEST_MS / 1000
    slept, nap, seen = 0.0, 0.001, None
    while True:
        try:
            connection.execute("BEGIN IMMEDIATE")
            return
        except _sqlite3.OperationalError as error:
            commits = read_count(path)
            if commits != seen or held(path):
                slept, seen = 0.0, commits
            if not is_busy(error) or slept + nap > BUSY_MS / 1000 or time.monotonic() > latest:
                raise
        time.sleep(nap)
        slept += nap
        nap = min(nap * 1.5, 0.02)


def _recent(marked: int, ticked: int) -> bool:
    """Return whether by one of two clocks the epoch is not a day old: neither alone is set forward to end it."""
    wall, ticks = clocks()
    return wall - marked < _DAY or 0 <= ticks - ticked < _DAY


def _text(key: str) -> bytes:
    """Names of files may hold bytes that are no UTF-8."""
    return key.encode("utf-8", "surrogatepass")


def _whole(value: object) -> bytes:
    blob = unsealed(value)
    if blob is None:
        raise failure("corrupt", "an entry of the session is damaged")
    return blob

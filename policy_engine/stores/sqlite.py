"""`SqliteStore`: one SQLite file, shared by all hook processes of a user; write-ahead log, short waits.

The file belongs to the user, mode 0600, and is never reached through a link. Each blob carries its length and checksum;
a damaged one is LOST, a damaged file is set aside (renamed) and reported, and for a day every session that the new file
does not know is LOST unless it starts with the event. A session that missed an event has a file of its own beside the
store until it is LOST in there. Uses the C module below `sqlite3`, whose Python half costs more
than a decision. Imported by the hook path.
"""

from __future__ import annotations

import errno
import posix
import time
from _blake2 import blake2b

from policy_engine.model.lean_sqlite import sqlite
from policy_engine.model.own_file import check_folder, exists, failure, inode, refused, unlink
from policy_engine.stores.base import LOST, Store, sealed, unsealed

TYPE_CHECKING = False
if TYPE_CHECKING:
    import _sqlite3
    from collections.abc import Iterator
    from typing import Any

    from policy_engine.model.errors import StoreError
else:
    _sqlite3 = sqlite()

BUSY_MS = 200
APPLICATION = 0x504C4359  # "PLCY", in the header of the file
VERSION = 2
_SIDES = ("", "-wal", "-shm")
_MARK = ""  # the id of no session: this file follows one that was damaged
_DAY = 86_400
_SELECT = "SELECT state FROM session WHERE id = ?"
_UPSERT = "INSERT INTO session VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET state = ?, touched = ?"
_ENTRY = "SELECT place, value FROM entry WHERE session = ? AND shelf = ? AND key = ?"
_ENTRIES = "SELECT key, place, value FROM entry WHERE session = ? AND shelf = ? ORDER BY place"
_PUT = "INSERT INTO entry VALUES (?, ?, ?, ?, ?) ON CONFLICT (session, shelf, key) DO UPDATE SET place = ?, value = ?"
_CREATE = (
    "CREATE TABLE session (id TEXT PRIMARY KEY, state BLOB NOT NULL, touched INTEGER NOT NULL)",
    "CREATE TABLE entry (session TEXT NOT NULL, shelf TEXT NOT NULL, key BLOB NOT NULL, place INTEGER NOT NULL,"
    " value BLOB NOT NULL, PRIMARY KEY (session, shelf, key)) WITHOUT ROWID",
    "CREATE INDEX entry_place ON entry (session, shelf, place)",
    "CREATE TRIGGER forgotten AFTER DELETE ON session BEGIN DELETE FROM entry WHERE session = OLD.id; END",
)


class SqliteStore(Store):
    """A store in the file at `path` (absolute); folders above it must exist."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._connection: _sqlite3.Connection | None = None
        self._inode = 0
        self._taken = ""

    def begin(self, session: str, starts: bool = False) -> bytes | None:
        try:
            connection = self._connected()
            _begin(connection)
            if self._is_lost(session):
                return LOST
            row = connection.execute(_SELECT, (session,)).fetchone()
            if row is None and not starts:
                row = connection.execute(_SELECT + " AND touched > ?", (_MARK, int(time.time()) - _DAY)).fetchone()
        except _sqlite3.Error as error:
            raise self._translated(error) from None
        if row is None:
            return None
        blob = unsealed(row[0])
        return LOST if blob is None else blob

    def entry(self, session: str, shelf: str, key: str) -> tuple[int, bytes] | None:
        row = self._run(_ENTRY, session, shelf, _text(key)).fetchone()
        return None if row is None else (row[0], _whole(row[1]))

    def entries(self, session: str, shelf: str) -> Iterator[tuple[str, int, bytes]]:
        for key, place, blob in self._run(_ENTRIES, session, shelf):
            yield key.decode("utf-8", "surrogatepass"), place, _whole(blob)

    def put(self, session: str, shelf: str, key: str, place: int, blob: bytes) -> None:
        kept = sealed(blob)
        self._run(_PUT, session, shelf, _text(key), place, kept, place, kept)

    def drop(self, session: str, shelf: str, key: str | None) -> None:
        if key is None:
            self._run("DELETE FROM entry WHERE session = ? AND shelf = ?", session, shelf)
        else:
            self._run("DELETE FROM entry WHERE session = ? AND shelf = ? AND key = ?", session, shelf, _text(key))

    def _run(self, statement: str, *values: Any) -> Any:
        try:
            return self._connected().execute(statement, values)
        except _sqlite3.Error as error:
            raise self._translated(error) from None

    def commit(self, session: str, blob: bytes) -> None:
        kept, now = sealed(blob), int(time.time())
        self._run(_UPSERT, session, kept, now, kept, now)
        self._run("COMMIT")
        if self._taken:
            unlink(self._taken)

    def lose(self, session: str) -> None:
        flags = posix.O_WRONLY | posix.O_CREAT | posix.O_CLOEXEC | posix.O_NOFOLLOW
        try:
            posix.close(posix.open(self._mark(session), flags, 0o600))
        except OSError as error:
            raise refused(error) from None

    def _mark(self, session: str) -> str:
        name = blake2b(session.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
        return f"{self.path}.lost-{name}"

    def _is_lost(self, session: str) -> bool:
        """Whether an event is missing. The mark is moved aside, so that one made from now on is not taken for it."""
        mark = self._mark(session)
        taken, self._taken = f"{mark}.taken", ""
        try:
            posix.rename(mark, taken)
        except FileNotFoundError:
            if not exists(taken):  # of a process that ended before it had written what it found
                return False
        except OSError:
            return True  # it stays, and is found again by the next event
        self._taken = taken
        return True

    def rollback(self) -> None:
        if self._connection is not None and self._connection.in_transaction:
            try:
                self._connection.execute("ROLLBACK")
            except _sqlite3.Error:
                self.close()

    def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            try:
                connection.close()
            except _sqlite3.Error:
                self._connection = None  # nothing is left to be given up

    def forget(self, before: int) -> int:
        """Drop the sessions that no event touched since (seconds since the epoch); how many."""
        try:
            return int(self._connected().execute("DELETE FROM session WHERE touched < ?", (before,)).rowcount)
        except _sqlite3.Error as error:
            raise self._translated(error) from None

    # ---- the file ------------------------------------------------------------------------------------------------

    def _connected(self) -> _sqlite3.Connection:
        if self._connection is None:
            check_folder(self.path)
            self._inode = inode(self.path) or _create(self.path) or inode(self.path)
            connection = _sqlite3.connect(self.path, timeout=BUSY_MS / 1000, isolation_level=None)
            self._connection = connection
            try:
                self._check_version(connection)
            except BaseException:
                self.close()
                raise
        return self._connection

    def _check_version(self, connection: _sqlite3.Connection) -> None:
        try:
            application = connection.execute("PRAGMA application_id").fetchone()[0]
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute("PRAGMA busy_timeout = 0")  # from here on `_begin` waits, in shorter steps
        except _sqlite3.Error as error:
            raise self._translated(error) from None
        if not application and not tables:
            self.close()
            raise failure("corrupt", f"the state file was empty and is now `{self._set_aside()}`")
        if application != APPLICATION:
            raise failure("foreign", "the state file belongs to another program")
        if version < VERSION:
            self.close()
            raise failure("corrupt", f"the state file was of an older version and is now `{self._set_aside()}`")
        if version != VERSION:
            raise failure("foreign", f"the state file has version {version}, this program knows {VERSION}")

    def _translated(self, error: _sqlite3.Error) -> StoreError:
        """The stable word for what SQLite says; the transaction is over, a damaged file is out of the way."""
        name = getattr(error, "sqlite_errorname", "") or ""
        self.rollback()
        if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
            return failure("busy", f"another process held the state file for more than {BUSY_MS} ms")
        self.close()
        if name.startswith("SQLITE_FULL"):
            return failure("full", "there is no room for the state file")
        if name.startswith(("SQLITE_READONLY", "SQLITE_PERM", "SQLITE_CANTOPEN")):
            return failure("readonly", "the state file cannot be opened for writing")
        if name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
            return failure("corrupt", f"the state file was damaged and is now `{self._set_aside()}`")
        return failure("failed", name or str(error))

    def _set_aside(self) -> str:
        """Rename the file and its side files; the next call makes a new one."""
        place = f"{self.path}.corrupt-{time.time_ns()}"
        if inode(self.path) != self._inode:
            return "set aside by another process"
        for side in _SIDES:
            try:
                posix.rename(self.path + side, place + side)
            except OSError as error:
                if error.errno != errno.ENOENT:
                    raise failure("corrupt", "the state file is damaged and cannot be set aside") from None
        return place


def _begin(connection: _sqlite3.Connection) -> None:
    """Take the write lock; many short waits let many processes through in little time."""
    deadline = time.monotonic() + BUSY_MS / 1000
    while True:
        try:
            connection.execute("BEGIN IMMEDIATE")
            return
        except _sqlite3.OperationalError as error:
            if not error.sqlite_errorname.startswith("SQLITE_BUSY") or time.monotonic() > deadline:
                raise
        time.sleep(0.001)


def _create(path: str) -> int:
    """Make the file whole beside its place, then put it there at once, unless another process was first. Gives 0."""
    folder, _, name = path.rpartition("/")
    draft = f"{path}.new-{posix.getpid()}-{time.time_ns()}"
    try:
        posix.close(posix.open(draft, posix.O_RDWR | posix.O_CREAT | posix.O_EXCL | posix.O_CLOEXEC, 0o600))
        damaged = any(other.startswith(f"{name}.corrupt-") for other in posix.listdir(folder or "/"))
    except OSError as error:
        raise refused(error) from None
    try:
        connection = _sqlite3.connect(draft, isolation_level=None)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            for statement in _CREATE:
                connection.execute(statement)
            if damaged:
                connection.execute("INSERT INTO session VALUES (?, ?, ?)", (_MARK, LOST, int(time.time())))
            connection.execute(f"PRAGMA user_version = {VERSION}")
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
        finally:
            connection.close()
        posix.link(draft, path)
    except FileExistsError:
        return 0
    except OSError as error:
        raise refused(error) from None
    except _sqlite3.Error as error:
        raise failure("full", f"the state file cannot be made ({error.sqlite_errorname})") from None
    finally:
        posix.unlink(draft)
    return 0


def _text(key: str) -> bytes:
    """Names of files may hold bytes that are no UTF-8."""
    return key.encode("utf-8", "surrogatepass")


def _whole(value: object) -> bytes:
    blob = unsealed(value)
    if blob is None:
        raise failure("corrupt", "an entry of the session is damaged")
    return blob

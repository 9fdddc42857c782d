"""Open a sound connection to a state file: made, brought up to date or set aside.

The file belongs to the user, mode 0600, and is never reached through a link. It has a write-ahead log where the file
system can, else a rollback journal. One that follows a lost one says so: its epoch is not 0, and sessions it does not
know had a past. Imported by the hook path.
"""

from __future__ import annotations

import errno
import posix
import time

from policy_engine.model.errors import StoreError
from policy_engine.state.commit_count import read_count, write_count
from policy_engine.state.lean_sqlite import sqlite
from policy_engine.state.own_file import draft_of, failure, inode, open_own, refused, unlink

TYPE_CHECKING = False
if TYPE_CHECKING:
    import _sqlite3
    from collections.abc import Iterable
    from typing import Any

else:
    _sqlite3 = sqlite()

BUSY_MS = 1_000  # that anybody else may hold the file; well within the hook's own deadline
APPLICATION = 0x504C4359  # "PLCY", in the header of the file
VERSION = 4
_SIDES = ("-wal", "-shm", "-journal", "")  # the file itself last: who comes meanwhile must not get a new log taken away
_STORE = (
    # one row; `marked` and `ticked` are two clocks' seconds of when the epoch began, `why` says what happened then
    "CREATE TABLE store (commits INTEGER NOT NULL, epoch INTEGER NOT NULL, marked INTEGER NOT NULL,"
    " ticked INTEGER NOT NULL, why TEXT NOT NULL)",
    "INSERT INTO store VALUES (0, 0, 0, 0, '')",
)
_CREATE = (
    "CREATE TABLE session (id TEXT PRIMARY KEY, state BLOB NOT NULL, touched INTEGER NOT NULL,"
    " epoch INTEGER NOT NULL DEFAULT 0)",
    "CREATE TABLE entry (session TEXT NOT NULL, shelf TEXT NOT NULL, key BLOB NOT NULL, place INTEGER NOT NULL,"
    " value BLOB NOT NULL, PRIMARY KEY (session, shelf, key)) WITHOUT ROWID",
    "CREATE INDEX entry_place ON entry (session, shelf, place)",
    # for pruning (state/session_pruning.py): by age those with a past, and those without
    "CREATE INDEX session_touched ON session (touched) WHERE epoch != -1",
    "CREATE INDEX session_gone ON session (touched) WHERE epoch = -1",
    *_STORE,
)
_EPOCH = "UPDATE store SET commits = max(commits, ?) + 1, epoch = epoch + 1, marked = ?, ticked = ?, why = ?"
_NO_SHARED_MEMORY = ("SQLITE_CANTOPEN", "SQLITE_PROTOCOL", "SQLITE_IOERR_SHM", "SQLITE_IOERR_LOCK")


def connected(path: str) -> tuple[_sqlite3.Connection, int]:
    """A connection to the sound file at `path`, and the number of the file. Raises StoreError."""
    number = inode(path) or _missing(path)
    try:
        return _opened(path, number), number
    except StoreError as error:
        if not str(error).startswith("older"):
            raise
        return connected(path)
    except _sqlite3.Error as error:
        if not _name(error).startswith(_NO_SHARED_MEMORY):
            raise translated(error, path, number) from None
    try:
        _leave_log(path)
        return _opened(path, number), number
    except _sqlite3.Error as error:
        raise translated(error, path, number) from None


def knows(path: str, session: str) -> bool:
    """Return whether a store knows a session, as far as that can be told without writing to it or waiting for it."""
    place = "".join(f"%{ord(char):02x}" if char in "%?#" else char for char in path)
    try:
        connection = _sqlite3.connect(f"file:{place}?mode=ro", timeout=0, isolation_level=None, uri=True)
    except (_sqlite3.Error, UnicodeError):
        return False
    try:
        return connection.execute("SELECT 1 FROM session WHERE id = ?", (session,)).fetchone() is not None
    except (_sqlite3.Error, UnicodeError):
        return False
    finally:
        connection.close()


def _opened(path: str, number: int) -> _sqlite3.Connection:
    # threads take turns (bootstrap.InTurn), and any of them may close it
    connection = _sqlite3.connect(path, timeout=BUSY_MS / 1000, isolation_level=None, check_same_thread=False)
    try:
        _check_version(connection, path, number)
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA busy_timeout = 0")  # from here on the store waits, in its own steps
    except UnicodeDecodeError:  # SQLite's complaint quotes what is damaged
        connection.close()
        raise set_aside(path, number, "was damaged") from None
    except BaseException:
        connection.close()
        raise
    return connection


def _check_version(connection: _sqlite3.Connection, path: str, number: int) -> None:
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if application == APPLICATION and version == VERSION:
        return
    if not application and not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        connection.close()
        raise set_aside(path, number, "was empty")
    if application != APPLICATION:
        raise failure("foreign", "the state file belongs to another program")
    if version > VERSION:
        raise failure("foreign", f"the state file has version {version}, this program knows {VERSION}")
    known = connection.execute("SELECT id, touched FROM session WHERE id != ''").fetchall()
    connection.close()
    raise _superseded(path, number, known)


def _superseded(path: str, number: int, known: list[Any]) -> StoreError:
    """Remove a file of a version that kept what people typed, and begin one that knows its sessions as LOST."""
    try:
        file = posix.open(path, posix.O_RDWR | posix.O_NOFOLLOW | posix.O_NONBLOCK | posix.O_CLOEXEC)
        try:
            posix.lockf(file, posix.F_TLOCK, 1)
            if posix.lstat(path).st_ino == number == posix.fstat(file).st_ino:
                kept = max(read_count(path) or 0, 1)
                write_count(path, kept)
                for side in _SIDES:
                    _removed(path + side)
                create(path, kept, "", known)
        finally:
            posix.close(file)
    except OSError:
        return failure("failed", "the state file is of an older version and cannot be replaced")
    return failure("older", "the state file was of an older version and was replaced; what its sessions did is lost")


def _removed(path: str) -> None:
    try:
        posix.unlink(path)
    except FileNotFoundError:
        return


def _leave_log(path: str) -> None:
    """Change a file whose write-ahead log cannot be shared here to a rollback journal."""
    connection = _sqlite3.connect(path, timeout=BUSY_MS / 1000, isolation_level=None)
    try:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")  # the log's index in memory of our own
        connection.execute("PRAGMA journal_mode = DELETE")
    finally:
        connection.close()


def is_busy(error: _sqlite3.Error) -> bool:
    """Return whether another process holds the file."""
    return _name(error).startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))


def _name(error: _sqlite3.Error) -> str:
    return getattr(error, "sqlite_errorname", "") or ""


def translated(error: _sqlite3.Error, path: str, number: int) -> StoreError:
    """The stable word for what SQLite says; a damaged file is out of the way. The connection is closed or idle."""
    name = _name(error)
    if is_busy(error):
        return failure("busy", "other processes held the state file too long")
    if name.startswith("SQLITE_FULL"):
        return failure("full", "there is no room for the state file")
    if name.startswith(("SQLITE_READONLY", "SQLITE_PERM", "SQLITE_CANTOPEN")):
        return failure("readonly", "the state file cannot be opened for writing")
    if name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
        return set_aside(path, number, "was damaged")
    return failure("failed", name or str(error))


# ---- a past that is gone ---------------------------------------------------------------------------------------------


def new_epoch(connection: _sqlite3.Connection, kept: int, why: str) -> None:
    """In an open transaction: what the store knows is older than it should be, and every session's past is lost."""
    connection.execute(_EPOCH, (kept, *clocks(), why))


def clocks() -> tuple[int, int]:
    """Seconds of the wall clock and of the one that nobody sets; the latter begins again when the machine does."""
    return int(time.time()), int(time.monotonic())


def _missing(path: str) -> int:
    """There is no file. Make one; if others were committed to before it, that is said. Raises StoreError."""
    kept = read_count(path)
    if kept is None:
        write_count(path, 0)
    elif kept:
        if number := inode(path):  # another process made it since, and committed to it
            return number
        why = "the state file was removed"
        create(path, kept, why)
        raise failure("lost", f"{why}; what its sessions did before is lost")
    create(path)
    return inode(path)


def set_aside(path: str, number: int, what: str) -> StoreError:
    """Rename the file and its side files and begin a new one, unless another process did; the failure to raise."""
    place = f"{path}.corrupt-{time.time_ns()}"
    way_out = "do again what the rules ask for, or a person runs `policy accept`"
    why = f"the state file {what} and is now `{place}`; {way_out}"
    try:
        file = open_own(path, posix.O_RDWR, others=0)
        try:
            posix.lockf(file, posix.F_TLOCK, 1)  # one process at a time, or a second would take the new file away
            if posix.lstat(path).st_ino != number or posix.fstat(file).st_ino != number:
                return failure("corrupt", f"the state file {what} and was set aside by another process")
            kept = max(read_count(path) or 0, 1)  # whoever finds no file knows that there was one
            write_count(path, kept)
            for side in _SIDES:
                _renamed(path + side, place + side)
        finally:
            posix.close(file)
    except OSError:
        return failure("corrupt", f"the state file {what} and cannot be set aside")
    create(path, kept, why)
    return failure("corrupt", why)


def _renamed(old: str, new: str) -> None:
    try:
        posix.rename(old, new)
    except OSError as error:
        if error.errno != errno.ENOENT:
            raise


def create(path: str, kept: int = 0, why: str = "", known: Iterable[Any] = ()) -> None:
    """Make the file whole beside its place, then put it there at once, unless another process was first.

    With `why`: it follows one that is lost, after `kept` commits. `known`: sessions whose past is lost.
    Raises StoreError.
    """
    draft = draft_of(path)
    try:
        posix.close(posix.open(draft, posix.O_RDWR | posix.O_CREAT | posix.O_EXCL | posix.O_CLOEXEC, 0o600))
    except OSError as error:
        raise refused(error) from None
    try:
        connection = _sqlite3.connect(draft, isolation_level=None)
        try:
            connection.execute("PRAGMA auto_vacuum = INCREMENTAL")  # before there is anything in the file
            connection.execute("PRAGMA journal_mode = WAL")  # stays a rollback journal where there can be none
            for statement in _CREATE:
                connection.execute(statement)
            if why:
                new_epoch(connection, kept, why)
            elif kept:
                connection.execute("UPDATE store SET commits = ?", (kept,))
            for session, touched in known:
                connection.execute("INSERT INTO session VALUES (?, x'', ?, -1)", (session, touched))
            connection.execute(f"PRAGMA user_version = {VERSION}")
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
        finally:
            connection.close()
        posix.link(draft, path)
    except FileExistsError:
        return
    except OSError as error:
        raise refused(error) from None
    except _sqlite3.Error as error:
        raise failure("full", f"the state file cannot be made ({_name(error)})") from None
    finally:
        unlink(draft)

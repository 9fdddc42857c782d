"""`PostgresStore`: the sessions of many machines in a PostgreSQL database, each under a lock of its own.

It speaks libpq through `psycopg.pq`, so that every wait ends in time, whatever the server does. The lock is an advisory
one, held to the end of the transaction: the database frees it if the process or the connection ends. What libpq or the
server says is never repeated, only its code: it may hold what nobody should read. Variables `PG…` of the environment do
not count: a repository can set them. Imported by the hook path where the settings name a server.
"""

from __future__ import annotations

import os
import select
import sys
import time
from _blake2 import blake2b

from policy_engine.model.errors import StoreError
from policy_engine.model.limits import PRUNE_SESSIONS, SESSION_DAYS
from policy_engine.state.missed_events import MOST, MissedEvents
from policy_engine.state.own_file import failure
from policy_engine.state.private_key import KEY_BYTES
from policy_engine.stores.base import LOST, Store, sealed, unsealed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from psycopg.pq.abc import PGconn, PGresult

BEGIN_MS = 2_000  # to connect and to get the session's lock; well within the hook's own deadline
ANSWER_MS = 1_000  # for each later statement
SILENT_SECONDS = 5.0  # in which a server that did not answer is not asked again by this process
VERSION = 1
_EARLIER_MS = 200
_DAY = 86_400
_SETUP = 0x504C4359  # the lock under which the tables are made; those of sessions are digests
_FAILED_POLL, _READ_POLL, _WRITE_POLL = 0, 1, 2  # PollingStatus of libpq
_ABSENT = b"42P01"  # SQLSTATE of a table that is not there
_BUSY = (b"55P03", b"57014", b"40P01")
_FULL = (b"53100", b"53200")
_READ_ONLY = b"25006"
_TABLES = """
BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
SELECT pg_advisory_xact_lock({lock});
CREATE TABLE IF NOT EXISTS policy_engine_store (version int PRIMARY KEY, key bytea NOT NULL);
CREATE TABLE IF NOT EXISTS policy_engine_session (id bytea PRIMARY KEY, state bytea NOT NULL, touched bigint NOT NULL);
CREATE INDEX IF NOT EXISTS policy_engine_session_touched ON policy_engine_session (touched);
CREATE TABLE IF NOT EXISTS policy_engine_entry (session bytea NOT NULL, shelf text NOT NULL, key bytea NOT NULL,
  place bigint NOT NULL, value bytea NOT NULL, PRIMARY KEY (session, shelf, key));
CREATE TABLE IF NOT EXISTS policy_engine_missed (session bytea NOT NULL, kind bytea NOT NULL);
CREATE INDEX IF NOT EXISTS policy_engine_missed_session ON policy_engine_missed (session);
INSERT INTO policy_engine_store SELECT {version}, '\\x{key}' WHERE NOT EXISTS (SELECT 1 FROM policy_engine_store);
COMMIT
"""
_BEGIN = """
BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
SET LOCAL lock_timeout = {wait}; SET LOCAL statement_timeout = {wait};
SET LOCAL idle_in_transaction_session_timeout = 30000; SET LOCAL synchronous_commit = on;
SELECT pg_advisory_xact_lock({lock})
"""
_IDENTITY = "SELECT version::text, key FROM policy_engine_store"
_STATE = (
    "WITH missed AS (DELETE FROM policy_engine_missed WHERE session = $1 RETURNING kind)"
    " SELECT (SELECT state FROM policy_engine_session WHERE id = $1), (SELECT string_agg(kind, '') FROM missed)"
)
_ENTRY = "SELECT place, value FROM policy_engine_entry WHERE session = $1 AND shelf = $2 AND key = $3"
_ENTRIES = "SELECT key, place, value FROM policy_engine_entry WHERE session = $1 AND shelf = $2 ORDER BY place"
_PUT = (
    "INSERT INTO policy_engine_entry VALUES ($1, $2, $3, $4, $5)"
    " ON CONFLICT (session, shelf, key) DO UPDATE SET place = excluded.place, value = excluded.value"
)
_DROP = "DELETE FROM policy_engine_entry WHERE session = $1 AND shelf = $2"
_UPSERT = (
    "INSERT INTO policy_engine_session VALUES ($1, $2, $3)"
    " ON CONFLICT (id) DO UPDATE SET state = excluded.state, touched = excluded.touched"
)
_OLDEST = "SELECT id FROM policy_engine_session WHERE touched < $1 AND state <> '' ORDER BY touched LIMIT $2"
_LATEST = "SELECT id FROM policy_engine_session ORDER BY touched DESC LIMIT 1"
_silent: dict[str, float] = {}  # address → until when it is not asked again


class PostgresStore(Store):
    """A store in the database at `address`; `marks` is a path beside which events that it misses are marked."""

    def __init__(self, address: str, marks: str) -> None:
        self.address = address
        self.marks = MissedEvents(marks)
        self._connection: PGconn | None = None
        self._process = os.getpid()
        self._key = b""
        self._new = False  # whether the session of the event was not known

    def begin(self, session: str, starts: bool = False) -> bytes | None:
        until = _in(BEGIN_MS)
        self._connected(until)
        if self._status():
            raise failure("busy", "a transaction is open already")
        wait = max(int((until - time.monotonic()) * 1000) - _EARLIER_MS, 1)  # the server gives up before this process
        try:
            self._ask(_BEGIN.format(wait=wait, lock=_lock(session)), until)
            state, missing = self._rows(_STATE, _name(session))[0]
        except StoreError:
            self.rollback()
            raise
        self._new = state is None
        self.rest = b"" if state is None else unsealed(state)
        kinds = [kind for kind in (missing, self.marks.take(session)) if kind is not None]
        self.missed = b"".join(kinds) if all(kinds) else b""
        if len(self.missed) > MOST:
            self.missed = b""
        if kinds:
            return LOST
        if state is None:
            return None
        return LOST if self.rest is None else self.rest

    def entry(self, session: str, table: str, key: str) -> tuple[int, bytes] | None:
        rows = self._rows(_ENTRY, _name(session), table.encode(), _name(key))
        return None if not rows else (_number(rows[0][0]), _whole(rows[0][1]))

    def entries(self, session: str, table: str) -> Iterator[tuple[str, int, bytes]]:
        for key, place, blob in self._rows(_ENTRIES, _name(session), table.encode()):
            yield key.decode("utf-8", "surrogatepass"), _number(place), _whole(blob)

    def put(self, session: str, table: str, key: str, place: int, blob: bytes) -> None:
        self._rows(_PUT, _name(session), table.encode(), _name(key), _bigint(place), sealed(blob))

    def drop(self, session: str, table: str, key: str | None) -> None:
        if key is None:
            self._rows(_DROP, _name(session), table.encode())
        else:
            self._rows(f"{_DROP} AND key = $3", _name(session), table.encode(), _name(key))

    def commit(self, session: str, blob: bytes) -> None:
        now = int(time.time())
        self._rows(_UPSERT, _name(session), sealed(blob), _bigint(now))
        self._ask("COMMIT", _in(ANSWER_MS))
        self.marks.done()
        if self._new:
            self._prune(now)

    def _prune(self, now: int) -> None:
        """Drop a few pasts that are too old; a row without a state stays, so that their sessions are LOST, not new."""
        try:
            self._ask(_BEGIN.format(wait=ANSWER_MS, lock=_lock("")), _in(ANSWER_MS))
            for (session,) in self._rows(_OLDEST, _bigint(now - SESSION_DAYS * _DAY), _bigint(PRUNE_SESSIONS)):
                lock = _lock(session.decode("utf-8", "surrogatepass"))
                if self._rows("SELECT pg_try_advisory_xact_lock($1)", _bigint(lock)) == [[b"\1"]]:
                    self._rows("DELETE FROM policy_engine_entry WHERE session = $1", session)
                    self._rows("UPDATE policy_engine_session SET state = '' WHERE id = $1", session)
            self._ask("COMMIT", _in(ANSWER_MS))
        except StoreError:
            self.rollback()

    def rollback(self) -> None:
        if self._connection is None or self._process != os.getpid():
            return
        try:
            if self._status():
                self._ask("ROLLBACK", _in(ANSWER_MS))
        except StoreError:
            self.close()

    def lose(self, session: str, kind: bytes) -> None:
        """Tell the database, where another machine finds it, or else a file of this one: nothing waits to connect."""
        if self._connection is not None and self._process == os.getpid() and not self._status():
            try:
                self._rows("INSERT INTO policy_engine_missed VALUES ($1, $2)", _name(session), kind)
                return
            except StoreError:
                self.close()
        self.marks.add(session, kind)

    def key(self) -> bytes:
        self._connected(_in(BEGIN_MS))
        return self._key

    def knows(self, session: str) -> bool:
        try:
            self._connected(_in(ANSWER_MS))
            return bool(self._rows("SELECT 1 FROM policy_engine_session WHERE id = $1", _name(session)))
        except StoreError:
            return False

    def latest(self) -> str:
        self._connected(_in(BEGIN_MS))
        rows = self._rows(_LATEST)
        return rows[0][0].decode("utf-8", "surrogatepass") if rows else ""

    def check(self) -> tuple[int, str]:
        self._connected(_in(BEGIN_MS))
        self._rows("UPDATE policy_engine_store SET version = version")
        return 0, ""

    def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None and self._process == os.getpid():
            connection.finish()

    def _status(self) -> int:
        """Return what libpq says of the transaction: 0 if none is open and nothing runs."""
        return int(self._connection.transaction_status) if self._connection is not None else 0

    # ---- one statement, in time --------------------------------------------------------------------------------------

    def _rows(self, statement: str, *values: bytes) -> list[list[Any]]:
        """Return what a statement gives; values and rows are binary. Raises StoreError."""
        if self._connection is None:
            raise failure("failed", "the connection to the database has ended")
        self._connection_error(
            lambda open_one: open_one.send_query_params(
                statement.encode(), values, param_formats=[1] * len(values), result_format=1
            )
        )
        result = self._answers(_in(ANSWER_MS))[-1]
        columns = range(result.nfields)
        return [[result.get_value(row, column) for column in columns] for row in range(result.ntuples)]

    def _ask(self, statements: str, until: float) -> None:
        """Run statements without values. Raises StoreError."""
        self._connection_error(lambda open_one: open_one.send_query(statements.encode()))
        self._answers(until)

    def _connection_error(self, send: Any) -> None:
        assert self._connection is not None
        try:
            send(self._connection)
        except Exception:
            self.close()
            raise failure("failed", "the connection to the database has ended") from None

    def _answers(self, until: float) -> list[PGresult]:
        """Return the results of what was sent. Raises StoreError; a connection that is silent or broken is closed."""
        results = []
        connection = self._connection
        assert connection is not None
        try:
            while connection.flush():
                self._wait(connection, until, writing=True)
            while True:
                while connection.is_busy():
                    self._wait(connection, until)
                    connection.consume_input()
                result = connection.get_result()
                if result is None:
                    break
                results.append(result)
        except StoreError:
            raise
        except Exception:
            results = []
        if not results or connection.status:  # 0 is OK
            self.close()
            raise failure("failed", "the connection to the database has ended")
        for result in results:
            if result.status not in (1, 2):  # COMMAND_OK, TUPLES_OK
                raise _refused(result)
        return results

    def _wait(self, connection: PGconn, until: float, writing: bool = False) -> None:
        left = until - time.monotonic()
        waiting = select.poll()
        waiting.register(connection.socket, select.POLLIN | (select.POLLOUT if writing else 0))
        if left > 0 and waiting.poll(left * 1000):
            return
        self.close()  # what the server still does with it, it does not end
        _silent[self.address] = _in(SILENT_SECONDS * 1000)
        raise failure("busy", "the database of the sessions did not answer in time")

    # ---- the connection ----------------------------------------------------------------------------------------------

    def _connected(self, until: float) -> None:
        """Have a connection of this process to a database with our tables. Raises StoreError."""
        if self._process != os.getpid():
            self._connection, self._process = None, os.getpid()  # the other is the parent's: libpq leaves it alone
        if self._connection is not None and not self._connection.status:
            return
        self.close()
        if time.monotonic() < _silent.get(self.address, 0.0):
            raise failure("busy", "the database of the sessions did not answer in time")
        self._connect(until)
        try:
            rows = self._rows(_IDENTITY)
        except _Absent:
            key = os.urandom(KEY_BYTES).hex()
            try:
                self._ask(_TABLES.format(lock=_SETUP, version=VERSION, key=key), until)
            except StoreError:
                self.close()
                raise
            rows = self._rows(_IDENTITY)
        if len(rows) != 1 or rows[0][0] != str(VERSION).encode() or len(rows[0][1]) != KEY_BYTES:
            self.close()
            raise failure("foreign", f"the tables in the database are not those of version {VERSION}")
        self._key = rows[0][1]

    def _connect(self, until: float) -> None:
        pq = libpq()
        with _Without("PG"):
            try:
                connection = pq.PGconn.connect_start(self.address.encode())
                connection.nonblocking = 1
                self._connection = connection
                state = connection.connect_poll() if connection.status != 1 else _FAILED_POLL
                while state in (_READ_POLL, _WRITE_POLL):
                    self._wait(connection, until, writing=state == _WRITE_POLL)
                    state = connection.connect_poll()
            except StoreError:
                raise
            except Exception:
                state = _FAILED_POLL
        if state == _FAILED_POLL:
            self.close()
            raise failure("failed", "the database cannot be reached, or refuses; `psql` with its address says why")


class _Absent(StoreError):
    """A table is not there."""


class _Without:
    """An environment without the variables that begin so, which libpq would take for what the address leaves open."""

    def __init__(self, prefix: str) -> None:
        self._taken = {name: value for name, value in os.environ.items() if name.startswith(prefix)}

    def __enter__(self) -> None:
        for name in self._taken:
            del os.environ[name]

    def __exit__(self, *_reason: object) -> None:
        os.environ.update(self._taken)


def libpq() -> Any:
    """Return `psycopg.pq` without the rest of `psycopg`, which costs as much again. Raises StoreError."""
    module = sys.modules.get("psycopg.pq")
    if module is not None:
        return module
    from importlib.util import find_spec, module_from_spec

    spec = find_spec("psycopg")
    if spec is None:
        raise failure("failed", "the sessions are in a database; install policy_engine[postgres] to reach it")
    whole = "psycopg" in sys.modules
    if not whole:
        sys.modules["psycopg"] = module_from_spec(spec)  # a package without its own code
    try:
        with _Without("PSYCOPG_"):
            from psycopg import pq
    except ImportError:
        raise failure("failed", "`psycopg` cannot be loaded: install policy_engine[postgres] again") from None
    finally:
        if not whole:
            del sys.modules["psycopg"]
    return pq


def _refused(result: PGresult) -> StoreError:
    """Return the exception for an answer that is an error: its code, never its words."""
    state = result.error_field(67) or b""  # PG_DIAG_SQLSTATE
    if state == _ABSENT:
        return _Absent("failed: the tables are not there")
    if state in _BUSY:
        return failure("busy", "other processes held the session too long")
    if state in _FULL:
        return failure("full", "the database has no room")
    if state == _READ_ONLY:
        return failure("readonly", "the database takes no changes")
    return failure("failed", f"the database refused with SQLSTATE {state.decode('ascii', 'replace')[:5]}")


def _in(milliseconds: float) -> float:
    return time.monotonic() + milliseconds / 1000


def _name(text: str) -> bytes:
    """Names of sessions and files may hold bytes that are no UTF-8."""
    return text.encode("utf-8", "surrogatepass")


def _lock(session: str) -> int:
    """Return the number of a session's lock; two that share one only wait for each other."""
    return int.from_bytes(blake2b(_name(session), digest_size=8).digest(), "big", signed=True)


def _bigint(number: int) -> bytes:
    return number.to_bytes(8, "big", signed=True)


def _number(value: bytes) -> int:
    return int.from_bytes(value, "big", signed=True)


def _whole(value: object) -> bytes:
    blob = unsealed(value)
    if blob is None:
        raise failure("corrupt", "an entry of the session is damaged")
    return blob

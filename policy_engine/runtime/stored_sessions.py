"""`StoredSessions`: sessions in a store, shared by many processes; each event is one transaction.

Of the history an event reads and writes one blob of bounded size, and of the four dictionaries that grow with the
session only the entries that concern it: an event costs the same early and late in a session. Imported by the hook
path.
"""

from __future__ import annotations

import marshal

from policy_engine.history.doubt import ANY, accept, missed_kind
from policy_engine.history.session import History
from policy_engine.history.stored_table import StoredTable
from policy_engine.history.tables import MISSED, SHELVES
from policy_engine.model.errors import StoreError
from policy_engine.model.store_address import is_server
from policy_engine.runtime.session import Session, keep_counts
from policy_engine.state.places import SERVED, state_folder
from policy_engine.state.private_key import keyed
from policy_engine.stores.base import LOST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from policy_engine.evaluators.base import Program
    from policy_engine.stores.base import Store

MONITORS, PARTS = "monitors", "parts"
KEY = "key"  # what a state knows its key by


def open_store(place: str) -> Store:
    """Return the store at the address of a server, else in the file with this absolute path; nothing is opened yet."""
    if is_server(place):
        from policy_engine.stores.postgres import PostgresStore

        return PostgresStore(place, f"{state_folder()}/{SERVED}")
    from policy_engine.stores.sqlite import SqliteStore

    return SqliteStore(place)


class StoredSessions:
    """Sessions in a store."""

    __slots__ = ("_had_past", "_key", "_shown", "_store")

    def __init__(
        self,
        store: Store,
        shown: Callable[[str], str] = str,
        had_past: Callable[[str], bool] | None = None,
    ) -> None:
        """`shown` makes of a text what may be kept of it; `had_past` says of a session that the store does not know
        whether it had a past all the same."""
        self._store = store
        self._shown = shown
        self._had_past = had_past
        self._key: bytes | None = None

    def open(self, session: str, program: Program, starts: bool = False) -> Session:
        """Begin the transaction of one event, which `starts` the session or not. Raises StoreError."""
        store = self._store
        key = self._key = self._key if self._key is not None else store.key()
        blob = store.begin(session, starts)
        gone = not blob and store.rest == b"" and self._is_gone(session)
        parts = _Parts(store, session)
        try:
            state = marshal.loads(blob) if blob else None
            missed = None
            if gone:
                blob = LOST
            elif blob == LOST and store.rest is not None:
                state, missed = _left(store.rest), store.missed
            if state is not None:
                _put_shelves(state, store, session)
        except (ValueError, EOFError, TypeError, KeyError) as error:
            store.rollback()
            raise StoreError(f"the session's state cannot be read: {error}") from None
        if missed is not None and (state is not None or store.rest == b""):
            blob = None  # what is left is whole, and says what was before the events that are missing
        if state is None:
            lost = blob is not None
            history = History(program.monitors, program.monitor_digest, program.monitor_index, lost)
        else:
            known = state if state.get("key") == keyed(key, KEY) else None  # else no digest in it means anything
            history = History.restore(program.monitors, known, program.monitor_digest, program.monitor_index)
            lost = history.state is not state
        if missed is not None and not lost:
            history.namespace(MISSED)["kinds"] = missed
        if lost or state is None:
            self._start(history.state, store, session, lost)
        if lost:
            keep_counts(history, state)
        history.key, history.shown, history.state["key"] = key, self._shown, keyed(key, KEY)
        opened = Session(session, history, lost, parts=parts)
        opened.keeps = program.facts
        return opened

    def _is_gone(self, session: str) -> bool:
        """Return whether a session that the store does not know had a past. Raises StoreError."""
        try:
            return self._had_past is not None and self._had_past(session)
        except OSError as error:
            raise StoreError(f"readonly: whether the session had a past cannot be known ({error})") from None

    @staticmethod
    def _start(state: dict[str, Any], store: Store, session: str, lost: bool) -> None:
        """Shelves for a new state; what is on them belongs to a past that is gone."""
        if lost:
            for name in (MONITORS, *SHELVES):
                store.drop(session, name, None)
        state["shelves"] = dict.fromkeys((MONITORS, *SHELVES), (0, 0))
        monitors = state[MONITORS]
        _put_shelves(state, store, session)
        for key, value in monitors.items():
            state[MONITORS][key] = value

    def close(self, session: Session) -> None:
        """End the transaction. Raises StoreError if it cannot be kept."""
        store = self._store
        if session.history.dirty:
            store.commit(session.id, marshal.dumps(_without_shelves(session.history.snapshot())))
        else:
            store.rollback()

    def abandon(self, session: Session) -> None:
        """The event failed; nothing of it is kept, so the past is not complete any more. Raises StoreError."""
        self._store.rollback()
        event = session.history.event
        self._store.lose(session.id, missed_kind(event.raw if event is not None else None))

    def lose(self, session: str, kind: bytes = ANY) -> None:
        """An event of this kind (history/doubt.py) is missing in the session. Raises StoreError."""
        self._store.lose(session, kind)

    def disconnect(self) -> None:
        """Let go of the store; the next event connects again."""
        self._store.close()


def _left(rest: bytes | None) -> dict[str, Any] | None:
    """The state that a blob holds, None if it holds none, or none that can be read."""
    try:
        return marshal.loads(rest) if rest else None
    except (ValueError, EOFError, TypeError):
        return None


def state_of(store: Store, session: str) -> dict[str, Any] | None:
    """The whole state of a session, for people; None if there is none. Raises StoreError."""
    blob = store.begin(session)
    try:
        if not blob:
            return None
        state: dict[str, Any] = marshal.loads(blob)
        _put_shelves(state, store, session)
        state[MONITORS] = dict(state[MONITORS].items())
        for name in SHELVES:
            state["tables"][name] = dict(state["tables"][name].items())
        return state
    except (ValueError, EOFError, TypeError, KeyError) as error:
        raise StoreError(f"the session's state cannot be read: {error}") from None
    finally:
        store.rollback()


def accept_session(store: Store, session: str) -> bool:
    """End every doubt about a session, which a person does; whether anything is known of it. Raises StoreError."""
    blob = store.begin(session)
    try:
        state = _left(blob or store.rest)
        if state is None or "shelves" not in state:
            return False
        _put_shelves(state, store, session)
        accept(state)
        store.commit(session, marshal.dumps(_without_shelves(state)))
    except (ValueError, EOFError, TypeError, KeyError) as error:
        raise StoreError(f"the session's state cannot be read: {error}") from None
    finally:
        store.rollback()
    return True


class _Rows:
    """One table's rows, in the store's open transaction."""

    __slots__ = ("_session", "_table", "_store")

    def __init__(self, store: Store, session: str, table: str) -> None:
        self._store, self._session, self._table = store, session, table

    def get(self, key: str) -> tuple[int, bytes] | None:
        return self._store.entry(self._session, self._table, key)

    def put(self, key: str, place: int, blob: bytes) -> None:
        self._store.put(self._session, self._table, key, place, blob)

    def drop(self, key: str) -> None:
        self._store.drop(self._session, self._table, key)

    def ordered(self) -> Iterator[tuple[str, int, bytes]]:
        return self._store.entries(self._session, self._table)


class _Parts:
    """The parts of a session, in the store's open transaction. Both methods raise StoreError."""

    __slots__ = ("_session", "_store")

    def __init__(self, store: Store, session: str) -> None:
        self._store, self._session = store, session

    def get(self, name: str) -> Any:
        row = self._store.entry(self._session, PARTS, name)
        return None if row is None else marshal.loads(row[1])

    def __setitem__(self, name: str, value: Any) -> None:
        self._store.put(self._session, PARTS, name, 0, marshal.dumps(value))


def _put_shelves(state: dict[str, Any], store: Store, session: str) -> None:
    for name, (size, place) in state["shelves"].items():
        home = state if name == MONITORS else state["tables"]
        home[name] = StoredTable(_Rows(store, session, name), size, place)


def _without_shelves(state: dict[str, Any]) -> dict[str, Any]:
    """The state as it is kept in one blob; what changed on the shelves is written."""
    shelves: dict[str, StoredTable] = {MONITORS: state[MONITORS], **{name: state["tables"][name] for name in SHELVES}}
    for table in shelves.values():
        table.flush()
    return {
        **state,
        MONITORS: None,
        "tables": {name: value for name, value in state["tables"].items() if name not in shelves},
        "shelves": {name: (table.size, table.next) for name, table in shelves.items()},
    }

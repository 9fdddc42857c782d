"""What every store promises, of each of them: in memory, in a file, and in a real PostgreSQL server."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from policy_engine.model.errors import StoreError
from policy_engine.stores.base import LOST, Store
from policy_engine.stores.memory import MemoryStore
from policy_engine.stores.postgres import PostgresStore
from policy_engine.stores.sqlite import SqliteStore
from tests.postgres import server

Opened = Callable[[], Store]
"""Opens the same store once more, as another process would."""


@pytest.fixture(params=["sqlite", "postgres"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Opened:
    tmp_path.chmod(0o700)
    if request.param == "sqlite":
        return lambda: SqliteStore(str(tmp_path / "state.db"))
    address = server().database()
    return lambda: PostgresStore(address, str(tmp_path / "marks"))


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    if request.param == "memory":
        return MemoryStore()
    tmp_path.chmod(0o700)
    if request.param == "sqlite":
        return SqliteStore(str(tmp_path / "state.db"))
    return PostgresStore(server().database(), str(tmp_path / "marks"))


def all_of(store: Store, session: str = "s", table: str = "x") -> list[tuple[str, int, bytes]]:
    return list(store.entries(session, table))


def event(store: Store, session: str = "s") -> bytes | None:
    blob = store.begin(session)
    store.commit(session, (blob or b"") + b"e")
    return blob


def test_what_is_committed_is_found_again_and_what_is_rolled_back_is_not(store: Store) -> None:
    assert store.begin("s") is None
    assert store.rest is None or store.rest == b""
    store.commit("s", b"one\0\xff")
    assert store.begin("s") == b"one\0\xff"
    store.rollback()
    assert store.begin("other") is None
    store.rollback()
    store.rollback()


def test_transactions_do_not_nest(store: Store) -> None:
    store.begin("s")
    with pytest.raises(StoreError):
        store.begin("s")


def test_entries_are_kept_with_the_transaction_in_their_order(store: Store) -> None:
    store.begin("s")
    store.put("s", "x", "b", 1, b"one")
    store.put("s", "x", "a", 2, b"two")
    store.put("s", "x", "b", 3, b"three")
    store.put("s", "y", "a", 0, b"other shelf")
    store.put("t", "x", "a", 0, b"other session")
    store.commit("s", b"blob")
    store.begin("s")
    assert all_of(store) == [("a", 2, b"two"), ("b", 3, b"three")]
    assert (store.entry("s", "x", "a"), store.entry("s", "x", "c")) == ((2, b"two"), None)
    store.drop("s", "x", "a")
    assert all_of(store) == [("b", 3, b"three")]
    store.drop("s", "x", None)
    assert all_of(store) == [] and all_of(store, "s", "y") and all_of(store, "t")
    store.rollback()
    store.begin("s")
    assert len(all_of(store)) == 2
    store.rollback()


def test_keys_may_be_any_name_of_a_file(store: Store) -> None:
    store.begin("s")
    store.put("s", "x", "\udcff\0ü", 1, b"1")
    assert all_of(store) == [("\udcff\0ü", 1, b"1")]
    store.rollback()


def test_a_session_that_missed_events_is_lost_until_its_next_commit(opened: Opened) -> None:
    store = opened()
    event(store)
    store.lose("s", b"w")
    store.lose("s", b"t")
    assert (store.begin("s"), sorted(store.missed), store.rest) == (LOST, sorted(b"wt"), b"e")
    store.rollback()
    other = opened()
    assert other.begin("s") == LOST  # nothing of it was committed
    other.commit("s", b"known again")
    assert (other.begin("s"), other.missed) == (b"known again", b"")
    other.rollback()


def test_another_process_finds_what_was_committed_and_the_same_key(opened: Opened) -> None:
    first, second = opened(), opened()
    event(first)
    assert first.knows("s") and not second.knows("t") and second.knows("s")
    assert event(second) == b"e"
    assert first.key() == second.key() and len(first.key()) == 32
    assert (first.latest(), second.check()) == ("s", (0, ""))


def test_a_copy_of_the_process_has_a_connection_of_its_own(opened: Opened) -> None:
    store = opened()
    event(store)
    child = os.fork()
    if not child:
        try:
            code = int(event(store) != b"e")
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert event(store) == b"ee"


def test_a_closed_store_connects_again(opened: Opened) -> None:
    store = opened()
    event(store)
    store.close()
    assert event(store) == b"e"

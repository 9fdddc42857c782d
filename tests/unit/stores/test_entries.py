"""Entries beside a session's blob: kept with its transaction, in their order, and noticed when damaged."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from policy_engine.model.errors import StoreError
from policy_engine.state.session_file import VERSION
from policy_engine.stores.base import LOST, Store
from policy_engine.stores.memory import MemoryStore
from policy_engine.stores.sqlite import SqliteStore


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    tmp_path.chmod(0o700)
    return MemoryStore() if request.param == "memory" else SqliteStore(str(tmp_path / "state.db"))


def all_of(store: Store, session: str = "s", shelf: str = "x") -> list[tuple[str, int, bytes]]:
    return list(store.entries(session, shelf))


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


def test_a_damaged_entry_is_noticed(tmp_path: Path) -> None:
    place = str(tmp_path / "state.db")
    tmp_path.chmod(0o700)
    store = SqliteStore(place)
    store.begin("s")
    store.put("s", "x", "a", 1, b"value")
    store.commit("s", b"blob")
    store.close()
    with sqlite3.connect(place) as connection:
        connection.execute("UPDATE entry SET value = substr(value, 1, 12)")
    connection.close()
    store.begin("s")
    for ask in (lambda: store.entry("s", "x", "a"), lambda: all_of(store)):
        with pytest.raises(StoreError, match="corrupt: an entry"):
            ask()
    store.close()


def test_a_file_of_an_older_version_is_replaced(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    place = str(tmp_path / "state.db")
    store = SqliteStore(place)
    store.begin("s")
    store.commit("s", b"blob")
    store.close()
    with sqlite3.connect(place) as connection:
        connection.execute(f"PRAGMA user_version = {VERSION - 2}")
    connection.close()
    assert (store.begin("s"), store.rest) == (LOST, None)  # whoever was in the old one has lost its past
    store.rollback()
    assert store.begin("new") is None
    store.close()
    assert all(b"blob" not in path.read_bytes() for path in tmp_path.iterdir())

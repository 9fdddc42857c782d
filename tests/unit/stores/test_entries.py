"""Entries beside a session's blob in SQLite: noticed when damaged, and gone with a file of an older version."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from policy_engine.model.errors import StoreError
from policy_engine.state.session_file import VERSION
from policy_engine.stores.base import LOST
from policy_engine.stores.sqlite import SqliteStore


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
    for ask in (lambda: store.entry("s", "x", "a"), lambda: list(store.entries("s", "x"))):
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

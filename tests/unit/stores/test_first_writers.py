"""Processes that begin with the same store at once: who finds it made meanwhile has lost nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from policy_engine.state import session_file
from policy_engine.stores.sqlite import SqliteStore


def test_a_store_that_another_process_makes_meanwhile_is_no_lost_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(tmp_path / "s.sqlite3")
    looked = session_file.inode

    def late(name: str) -> int:
        monkeypatch.setattr(session_file, "inode", looked)
        other = SqliteStore(path)
        other.begin("s-1")
        other.commit("s-1", b"x")
        other.close()
        return 0  # it was not there when this process looked

    monkeypatch.setattr(session_file, "inode", late)
    store = SqliteStore(path)
    assert store.begin("s-1") == b"x"
    store.rollback()

"""What `policy status` says of the store: nothing while it is well, and each thing that is not."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from policy_engine.loading.status import storage
from policy_engine.model.errors import StoreError
from policy_engine.stores.sqlite import SqliteStore


@pytest.fixture
def place(tmp_path: Path) -> str:
    tmp_path.chmod(0o700)
    return str(tmp_path / "state.db")


def _event(place: str) -> None:
    store = SqliteStore(place)
    store.begin("s")
    store.commit("s", b"e")
    store.close()


def test_a_store_that_is_well_or_not_there_yet_has_no_problems(place: str) -> None:
    assert (storage(place).bytes, storage(place).problems) == (None, ())
    _event(place)
    found = storage(place)
    assert found.bytes and found.problems == ()


@pytest.mark.fault(89)
def test_what_was_set_aside_and_why_is_shown(place: str) -> None:
    _event(place)
    Path(place).write_bytes(b"x" * 5000)
    with pytest.raises(StoreError):
        _event(place)
    first, second = storage(place).problems
    assert "was damaged and is now" in first and "lost" in first
    assert second.startswith(f"set aside: {place}.corrupt-")


@pytest.mark.fault(91)
def test_a_store_that_was_removed_is_shown(place: str) -> None:
    _event(place)
    for side in ("", "-wal", "-shm"):
        Path(place + side).unlink(missing_ok=True)
    with pytest.raises(StoreError):
        _event(place)
    assert ["was removed" in problem for problem in storage(place).problems] == [True]


@pytest.mark.fault(87)
def test_sessions_that_missed_events_are_counted(place: str) -> None:
    _event(place)
    store = SqliteStore(place)
    store.lose("s", b"t")
    assert storage(place).problems == ("events are missing in 1 session: their past is lost",)


@pytest.mark.fault(88)
def test_a_store_that_is_held_or_no_file_is_shown(place: str) -> None:
    _event(place)
    holder = SqliteStore(place)
    holder.begin("s")
    assert "busy" in storage(place).problems[0]
    holder.rollback()
    holder.close()
    Path(place).unlink()
    os.mkfifo(place)
    assert "unsafe" in storage(place).problems[0]

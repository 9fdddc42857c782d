"""A store that was removed, set back or replaced while its count of commits stayed: its sessions know it (fault 91)."""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from pathlib import Path

import pytest

from policy_engine.model.errors import StoreError
from policy_engine.state import session_file
from policy_engine.state.commit_count import SUFFIX, read_count, write_count
from policy_engine.stores.base import LOST, sealed
from policy_engine.stores.sqlite import SqliteStore

SIDES = ("", "-wal", "-shm")
DAY = 86_400


@pytest.fixture
def place(tmp_path: Path) -> str:
    tmp_path.chmod(0o700)
    return str(tmp_path / "state.db")


def event(place: str, session: str = "s", starts: bool = False) -> bytes | None:
    """One event of a session in a process of its own: what the session had before."""
    store = SqliteStore(place)
    try:
        blob = store.begin(session, starts)
        store.commit(session, (blob or b"") + b"e")
        return blob
    finally:
        store.rollback()
        store.close()


def backup(place: str) -> dict[str, bytes]:
    return {side: Path(place + side).read_bytes() for side in SIDES if Path(place + side).exists()}


def remove(place: str) -> None:
    for side in SIDES:
        Path(place + side).unlink(missing_ok=True)


def restore(place: str, old: dict[str, bytes]) -> None:
    remove(place)
    for side, data in old.items():
        Path(place + side).write_bytes(data)


def lost_once_then_counted(place: str) -> None:
    """The event that finds out fails, the next of each session finds its past LOST, and then it is known again."""
    with pytest.raises(StoreError, match=r"^lost:"):
        event(place)
    for session in ("s", "other", "one that is not in the file"):
        assert event(place, session) == LOST
        assert event(place, session) == b"e"
    assert event(place, "new", starts=True) is None


@pytest.mark.fault(91)
@pytest.mark.requirement("R20")
def test_a_store_that_is_older_than_its_count_lost_its_sessions(place: str) -> None:
    event(place), event(place, "other")
    old = backup(place)
    event(place)
    restore(place, old)
    lost_once_then_counted(place)


@pytest.mark.fault(91)
def test_a_store_that_was_removed_lost_its_sessions(place: str) -> None:
    event(place)
    remove(place)
    lost_once_then_counted(place)


@pytest.mark.fault(91, 89)
def test_a_log_that_was_removed_or_cut_lost_what_was_in_it(place: str) -> None:
    keeper = SqliteStore(place)  # a process that still has the file open: nothing is moved out of the log
    keeper.begin("s")
    keeper.rollback()
    event(place), event(place, "other")
    old = backup(place)
    event(place)
    keeper.close()
    restore(place, {**old, "-wal": old["-wal"][: len(old["-wal"]) // 2]})
    lost_once_then_counted(place)


@pytest.mark.fault(91)
def test_a_store_that_was_removed_while_it_was_open_is_left(place: str) -> None:
    store = SqliteStore(place)
    for old in (None, b"e"):
        assert store.begin("s") == old
        store.commit("s", b"e")
    remove(place)
    with pytest.raises(StoreError, match=r"^lost:.* removed"):
        store.begin("s")
    assert store.begin("s") == LOST
    store.commit("s", b"new")
    assert event(place) == b"new"
    store.close()


@pytest.mark.fault(91)
@pytest.mark.parametrize("content", [None, b"", b"PEC1", bytes(16), b"x" * 64])
def test_a_count_that_is_gone_or_damaged_counts_as_set_back(place: str, content: bytes | None) -> None:
    event(place), event(place, "other")
    count = Path(place + SUFFIX)
    count.unlink()
    if content is not None:
        count.write_bytes(content)
    lost_once_then_counted(place)


@pytest.mark.fault(83)
def test_a_process_that_ends_between_the_commit_and_the_count_is_no_alarm(place: str) -> None:
    event(place)
    count = read_count(place)
    assert count == 1
    event(place)
    write_count(place, count)
    assert event(place) == b"ee"
    assert read_count(place) == 3


@pytest.mark.fault(83)
def test_a_process_that_ends_before_the_first_commit_is_no_alarm(place: str) -> None:
    store = SqliteStore(place)
    store.begin("s")
    store.close()
    assert (read_count(place), event(place)) == (0, None)
    Path(place).unlink()
    write_count(place, 0)  # as a process leaves it that ends before it has put the file in its place
    assert event(place) is None


@pytest.mark.fault(77)
@pytest.mark.parametrize(
    ("wall", "ticks", "past"),
    [
        (DAY - 9, DAY - 9, LOST),
        (10 * 365 * DAY, 60, LOST),  # the wall clock was set forward
        (-10 * 365 * DAY, 60, LOST),
        (60, -5, LOST),  # the machine was started again
        (DAY + 9, DAY + 9, None),
        (DAY + 9, -5, None),
    ],
)
def test_unknown_sessions_are_lost_for_a_day_by_either_clock(
    place: str, wall: int, ticks: int, past: bytes | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    event(place)
    remove(place)
    with pytest.raises(StoreError):
        event(place)
    now = (int(time.time()) + wall, int(time.monotonic()) + ticks if ticks > 0 else 0)
    for module in ("policy_engine.stores.sqlite", "policy_engine.state.session_file"):
        monkeypatch.setattr(f"{module}.clocks", lambda: now)
    assert event(place, "unknown") == past


@pytest.mark.fault(89)
def test_a_file_of_the_version_before_is_replaced_and_its_text_gone(place: str) -> None:
    with sqlite3.connect(place, isolation_level=None) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE session (id TEXT PRIMARY KEY, state BLOB NOT NULL, touched INTEGER NOT NULL)")
        for statement in session_file._CREATE[1:3]:
            connection.execute(statement)
        connection.execute("INSERT INTO session VALUES ('s', ?, 7)", (sealed(b"old"),))
        connection.execute("PRAGMA user_version = 2")
        connection.execute(f"PRAGMA application_id = {session_file.APPLICATION}")
    connection.close()
    assert (event(place), event(place), event(place, "new")) == (LOST, b"e", None)
    assert all(b"old" not in path.read_bytes() for path in Path(place).parent.iterdir())


@pytest.mark.fault(90)
def test_without_a_shared_log_a_rollback_journal_does(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite's own file locks by means of files, which has no shared memory, as on a network file system."""
    event(place)
    connect = sqlite3.connect

    class Elsewhere:
        Error, OperationalError = sqlite3.Error, sqlite3.OperationalError

        @staticmethod
        def connect(path: str, **options: object) -> sqlite3.Connection:
            return connect(f"file:{path}?vfs=unix-dotfile", uri=True, **options)  # type: ignore[call-overload, no-any-return]

    for module in ("policy_engine.stores.sqlite", "policy_engine.state.session_file"):
        monkeypatch.setattr(f"{module}._sqlite3", Elsewhere)
    assert (event(place), event(place), event(place, "new")) == (b"e", b"ee", None)
    remove(place)
    with pytest.raises(StoreError, match=r"^lost:"):
        event(place)
    assert (event(place), event(place)) == (LOST, b"e")
    monkeypatch.undo()
    with sqlite3.connect(place) as found:
        assert found.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    found.close()


@pytest.mark.fault(89)
@pytest.mark.requirement("R17")
def test_a_count_that_is_no_file_of_ours_is_refused(place: str) -> None:
    event(place)
    count = Path(place + SUFFIX)
    for make in (lambda: os.mkfifo(count), count.mkdir, lambda: count.symlink_to("/dev/null")):
        count.unlink(missing_ok=True)
        make()
        with pytest.raises(StoreError, match=r"^(unsafe|readonly):"):
            event(place)
        if count.is_dir() and not count.is_symlink():
            shutil.rmtree(count)

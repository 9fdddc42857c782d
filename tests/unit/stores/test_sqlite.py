"""The store in SQLite: every event is counted once, and what goes wrong has a name."""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
import stat
from pathlib import Path

import pytest

from policy_engine.model.errors import StoreError
from policy_engine.stores.base import LOST, sealed, unsealed
from policy_engine.stores.sqlite import SqliteStore

PROCESSES, INCREMENTS = 8, 25


@pytest.fixture
def place(tmp_path: Path) -> str:
    tmp_path.chmod(0o700)
    return str(tmp_path / "state.db")


@pytest.fixture
def store(place: str) -> SqliteStore:
    return SqliteStore(place)


def count_up(place: str, failures: multiprocessing.Queue[str]) -> None:
    done = 0
    while done < INCREMENTS:
        store = SqliteStore(place)
        try:
            blob = store.begin("s")
            store.commit("s", str(int(blob or b"0") + 1).encode())
            done += 1
        except StoreError as error:
            if not str(error).startswith("busy:"):
                failures.put(str(error))
                return
        finally:
            store.rollback()
            store.close()


@pytest.mark.fault(78)
def test_many_processes_count_every_event_once(place: str) -> None:
    context = multiprocessing.get_context("fork")
    failures = context.Queue()
    processes = [context.Process(target=count_up, args=(place, failures)) for _ in range(PROCESSES)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [failures.get() for _ in range(failures.qsize())] == []
    assert SqliteStore(place).begin("s") == str(PROCESSES * INCREMENTS).encode()


@pytest.mark.requirement("R17")
def test_the_file_is_for_its_owner_only(place: str) -> None:
    SqliteStore(place).begin("s")
    assert stat.S_IMODE(os.stat(place).st_mode) == 0o600


@pytest.mark.fault(88)
def test_a_held_store_is_busy_after_a_bounded_wait(place: str) -> None:
    holder = SqliteStore(place)
    holder.begin("s")
    with pytest.raises(StoreError, match=r"^busy:"):
        SqliteStore(place).begin("s")
    holder.rollback()
    assert SqliteStore(place).begin("s") is None


@pytest.mark.fault(89)
@pytest.mark.parametrize(
    "content", [b"this is no database, but it is long enough to look like one" * 20, b"SQLite format 3\0", b""]
)
def test_a_damaged_file_is_set_aside_and_its_sessions_are_lost(place: str, content: bytes) -> None:
    Path(place).write_bytes(content)
    with pytest.raises(StoreError, match=r"^corrupt:"):
        SqliteStore(place).begin("s")
    assert [path.read_bytes() for path in Path(place).parent.glob("state.db.corrupt-*")] == [content]
    store = SqliteStore(place)
    assert store.begin("s") == LOST
    store.rollback()
    assert store.begin("new", starts=True) is None
    store.commit("new", b"x")
    assert store.begin("new") == b"x"


@pytest.mark.fault(89)
def test_a_damaged_session_is_lost_and_the_others_are_not(place: str) -> None:
    store = SqliteStore(place)
    for session in ("a", "b"):
        store.begin(session)
        store.commit(session, b"state")
    store.close()
    with sqlite3.connect(place) as connection:
        connection.execute("UPDATE session SET state = ? WHERE id = 'a'", (sealed(b"state")[:-1],))
    connection.close()
    assert store.begin("a") == LOST
    store.rollback()
    assert store.begin("b") == b"state"


@pytest.mark.fault(89)
def test_a_foreign_file_is_left_alone(place: str) -> None:
    with sqlite3.connect(place) as connection:
        connection.execute("CREATE TABLE t (x)")
    connection.close()
    with pytest.raises(StoreError, match=r"^foreign:"):
        SqliteStore(place).begin("s")


@pytest.mark.fault(89)
def test_a_later_version_is_left_alone(place: str) -> None:
    store = SqliteStore(place)
    store.begin("s")
    store.close()
    with sqlite3.connect(place) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(StoreError, match=r"^foreign:.*99"):
        SqliteStore(place).begin("s")


@pytest.mark.fault(89)
@pytest.mark.requirement("R17")
def test_links_pipes_folders_and_open_folders_are_refused(place: str) -> None:
    folder = Path(place).parent
    (folder / "real").write_bytes(b"")
    (folder / "link").symlink_to(folder / "real")
    os.mkfifo(folder / "pipe")
    (folder / "open").mkdir()
    (folder / "open").chmod(0o777)
    for name, word in (
        ("link", "unsafe"),
        ("pipe", "unsafe"),
        ("open", "readonly"),
        ("open/db", "unsafe"),
        ("no/db", "readonly"),
    ):
        with pytest.raises(StoreError, match=f"^{word}:"):
            SqliteStore(str(folder / name)).begin("s")


def test_a_blob_that_is_not_whole_is_noticed() -> None:
    whole = sealed(b"state")
    assert unsealed(whole) == b"state"
    assert [unsealed(bad) for bad in (whole[:-1], whole + b"x", b"", b"PE1", "text", whole[:-1] + b"E")] == [None] * 6


def test_a_session_that_missed_an_event_is_lost_once(store: SqliteStore, place: str) -> None:
    for name in ("s", "other"):
        store.begin(name)
        store.commit(name, b"one")
    store.lose("s", b"t")
    assert store.begin("other") == b"one"
    store.rollback()
    for _ in range(2):  # an event that is not kept leaves it lost
        assert store.begin("s") == LOST
        store.rollback()
    other = SqliteStore(place)
    assert other.begin("s") == LOST
    other.rollback()
    assert store.begin("s") == LOST
    store.commit("s", b"two")
    assert store.begin("s") == b"two"
    store.rollback()


def test_an_event_missed_while_the_loss_is_written_is_a_new_loss(store: SqliteStore, place: str) -> None:
    store.lose("s", b"t")
    assert store.begin("s") == LOST
    SqliteStore(place).lose("s", b"t")  # another process, whose event did not get through
    store.commit("s", b"two")
    assert store.begin("s") == LOST
    store.commit("s", b"three")
    assert store.begin("s") == b"three"
    store.rollback()


def test_a_loss_can_be_noted_while_another_holds_the_store(store: SqliteStore, place: str) -> None:
    store.begin("s")
    other = SqliteStore(place)
    with pytest.raises(StoreError, match="busy"):
        other.begin("s")
    other.lose("s", b"t")
    store.commit("s", b"one")
    assert other.begin("s") == LOST
    other.rollback()


def test_a_copy_of_the_process_leaves_its_parents_connection_and_lock_alone(store: SqliteStore) -> None:
    store.begin("s")  # in the middle of an event
    inherited = store._connection
    child = os.fork()
    if not child:
        try:
            store.begin("s")
        except StoreError as error:
            busy = str(error).startswith("busy:")
        os._exit(0 if busy and store._connection is not inherited else 1)
    assert os.waitpid(child, 0)[1] == 0
    store.commit("s", b"parent")
    assert store.begin("s") == b"parent"

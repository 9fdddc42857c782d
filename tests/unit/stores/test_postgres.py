"""The store in PostgreSQL: a lock for each session, waits that end, and no word of the server's repeated."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from policy_engine.model.errors import StoreError
from policy_engine.model.limits import SESSION_DAYS
from policy_engine.stores import postgres
from policy_engine.stores.base import LOST
from policy_engine.stores.postgres import PostgresStore
from tests.postgres import Server, server

PROCESSES, INCREMENTS = 8, 25


@pytest.fixture
def running() -> Server:
    return server()


@pytest.fixture
def address(running: Server) -> str:
    return running.database()


@pytest.fixture(autouse=True)
def asked_again() -> Iterator[None]:
    """A server that was silent in one test is asked in the next."""
    yield
    postgres._silent.clear()


@pytest.fixture
def marks(tmp_path: Path) -> str:
    return str(tmp_path / "marks")


def event(store: PostgresStore, session: str = "s") -> bytes | None:
    blob = store.begin(session)
    store.commit(session, (blob or b"") + b"e")
    return blob


def count_up(address: str, marks: str, failures: multiprocessing.Queue[str]) -> None:
    done = 0
    while done < INCREMENTS:
        store = PostgresStore(address, marks)
        try:
            blob = store.begin("s")
            store.commit("s", str(int(blob or b"0") + 1).encode())
            done += 1
        except StoreError as error:
            if not str(error).startswith("busy:"):  # a machine with too much to do
                failures.put(str(error))
                return
            postgres._silent.clear()
        finally:
            store.close()


@pytest.mark.fault(78)
def test_many_processes_count_every_event_once(address: str, marks: str) -> None:
    context = multiprocessing.get_context("fork")
    failures = context.Queue()
    processes = [context.Process(target=count_up, args=(address, marks, failures)) for _ in range(PROCESSES)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [failures.get() for _ in range(failures.qsize())] == []
    assert PostgresStore(address, marks).begin("s") == str(PROCESSES * INCREMENTS).encode()


def test_a_session_that_is_held_holds_up_nobody_else(address: str, marks: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres, "BEGIN_MS", 400)
    holder, other = PostgresStore(address, marks), PostgresStore(address, marks)
    holder.begin("s")
    assert event(other, "t") is None
    with pytest.raises(StoreError, match=r"^busy: other processes held the session"):
        other.begin("s")
    holder.commit("s", b"x")
    assert event(other) == b"x"  # the connection is as good as before


def test_a_level_of_isolation_that_the_database_prefers_hides_no_event(
    running: Server, address: str, marks: str
) -> None:
    name = address.partition("/policy")[2].partition("?")[0]
    running.sql(address, f"ALTER DATABASE policy{name} SET default_transaction_isolation = 'serializable'")
    context = multiprocessing.get_context("fork")
    failures = context.Queue()
    processes = [context.Process(target=count_up, args=(address, marks, failures)) for _ in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [failures.get() for _ in range(failures.qsize())] == []
    assert PostgresStore(address, marks).begin("s") == str(2 * INCREMENTS).encode()


@pytest.mark.fault(83)
def test_what_a_killed_process_held_is_free_and_nothing_of_it_is_kept(address: str, marks: str) -> None:
    child = os.fork()
    if not child:
        store = PostgresStore(address, marks)
        store.begin("s")
        store.put("s", "x", "a", 1, b"half")
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    store = PostgresStore(address, marks)
    assert store.begin("s") is None
    assert list(store.entries("s", "x")) == []


def test_a_server_that_hangs_is_given_up_in_time_and_not_asked_again_at_once(
    running: Server, address: str, marks: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = PostgresStore(address, marks)
    event(store)
    os.kill(running.process, signal.SIGSTOP)  # whoever connects from now on is not answered
    try:
        with monkeypatch.context() as impatient:
            impatient.setattr(postgres, "ANSWER_MS", 200)
            impatient.setattr(postgres, "BEGIN_MS", 200)
            for words in ("did not answer in time", "did not answer in time"):
                with pytest.raises(StoreError, match=rf"^busy: .*{words}"):
                    PostgresStore(address, marks).begin("s")
        assert postgres._silent
    finally:
        os.kill(running.process, signal.SIGCONT)
    postgres._silent.clear()
    assert event(store) == b"e"


def test_a_server_that_restarts_counts_nothing_twice_and_says_what_it_did_not_take(
    running: Server, address: str, marks: str
) -> None:
    store = PostgresStore(address, marks)
    event(store)
    store.begin("s")
    running.stop()
    try:
        with pytest.raises(StoreError):
            store.commit("s", b"ee")
        store.rollback()
        store.lose("s", b"w")  # it cannot be told, so this machine keeps it
        with pytest.raises(StoreError, match=r"^failed: the database cannot be reached"):
            store.begin("s")
    finally:
        running.start()
    assert (store.begin("s"), store.rest, store.missed) == (LOST, b"e", b"w")
    store.commit("s", b"e and more")
    assert event(store) == b"e and more"


def test_a_session_whose_past_is_too_old_is_lost_and_not_new(running: Server, address: str, marks: str) -> None:
    store = PostgresStore(address, marks)
    store.begin("old")
    store.put("old", "x", "a", 1, b"entry")
    store.commit("old", b"past")
    running.sql(address, f"UPDATE policy_engine_session SET touched = touched - {(SESSION_DAYS + 1) * 86_400}")
    event(store, "new")
    assert running.sql(address, "SELECT count(*) FROM policy_engine_entry") == "0"
    assert (store.begin("old"), store.rest) == (LOST, None)


def test_a_damaged_state_is_lost_and_a_damaged_entry_an_error(running: Server, address: str, marks: str) -> None:
    store = PostgresStore(address, marks)
    store.begin("s")
    store.put("s", "x", "a", 1, b"value")
    store.commit("s", b"blob")
    running.sql(address, "UPDATE policy_engine_session SET state = substring(state FROM 1 FOR 12)")
    running.sql(address, "UPDATE policy_engine_entry SET value = substring(value FROM 1 FOR 12)")
    assert (store.begin("s"), store.rest) == (LOST, None)
    with pytest.raises(StoreError, match=r"^corrupt: an entry"):
        store.entry("s", "x", "a")


def test_tables_of_another_version_are_left_alone(running: Server, address: str, marks: str) -> None:
    event(PostgresStore(address, marks))
    running.sql(address, "UPDATE policy_engine_store SET version = 9")
    with pytest.raises(StoreError, match=r"^foreign:"):
        PostgresStore(address, marks).begin("s")


def test_a_database_that_takes_no_changes_says_so(running: Server, address: str, marks: str) -> None:
    store = PostgresStore(address, marks)
    event(store)
    running.sql(address, "REVOKE ALL ON policy_engine_session FROM PUBLIC; CREATE ROLE reader LOGIN")
    other = PostgresStore(address.replace("sessions@", "reader@"), marks)
    with pytest.raises(StoreError, match=r"^failed: the database refused with SQLSTATE 42501"):
        other.begin("s")
    running.sql(address, "DROP ROLE reader")


@pytest.mark.requirement("R17")
def test_variables_of_the_environment_lead_nowhere_else(
    running: Server, address: str, marks: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGHOST", "/nowhere")
    monkeypatch.setenv("PGOPTIONS", "-c default_transaction_read_only=on")
    monkeypatch.setenv("PGUSER", "nobody")
    event(PostgresStore(address, marks))
    assert os.environ["PGHOST"] == "/nowhere"  # what the session runs still has it
    with pytest.raises(StoreError):
        event(PostgresStore("postgresql:///policy0?connect_timeout=1", marks))
    assert running.sql(address, "SELECT count(*) FROM policy_engine_session") == "1"


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://u@nowhere.invalid:sw0rdfish/db",
        "postgresql://u@127.0.0.1:1/db?sslmode=sw0rdfish",
        "postgresql://%zz",
    ],
)
def test_what_is_wrong_with_an_address_is_not_repeated(address: str, marks: str) -> None:
    with pytest.raises(StoreError) as refused:
        PostgresStore(address, marks).begin("s")
    assert str(refused.value) == "failed: the database cannot be reached, or refuses; `psql` with its address says why"

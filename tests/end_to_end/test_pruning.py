"""What sessions leave is dropped when it is old: by real hook processes, a little at a time, and never in silence."""

from __future__ import annotations

import os
import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest

from policy_engine.hook_process import continuing, origin, pairing, stopped, workspace
from policy_engine.model.limits import PRUNE_ENTRIES, PRUNE_SESSIONS
from policy_engine.state import session_pruning
from policy_engine.stores.base import LOST
from policy_engine.stores.sqlite import SqliteStore
from tests.end_to_end.host import NO_LS, STATEFUL, Host

LONG_AGO = time.time() - 400 * 86_400
FOLDERS = (workspace.FOLDER, origin.FOLDER, pairing.FOLDER, continuing.FOLDER)


@pytest.fixture
def host(tmp_path: Path) -> Host:
    """One session that may be done, and one that was stopped."""
    found = Host(tmp_path)
    found.write_policy(STATEFUL)
    (found.workspace / "src").mkdir()
    (found.workspace / "src" / "a.py").touch()
    found.warm()
    for payload in (found.wrote("src/a.py", "w"), found.ran("pytest -q", "t"), found.stop()):
        assert found.call(payload).verdict == "allow"
    return found


def _set_back(host: Host) -> None:
    """Everything that sessions left, 400 days."""
    with sqlite3.connect(host.state / "sessions.sqlite3") as connection:
        connection.execute("UPDATE session SET touched = ?", (int(LONG_AGO),))
    connection.close()
    for folder in (host.state, host.cache):
        for path in folder.rglob("*"):
            if path.is_dir() or "sessions.sqlite3" not in path.name or ".corrupt-" in path.name:
                os.utime(path, (LONG_AGO, LONG_AGO))


def _asked(host: Host, query: str) -> list[Any]:
    connection = sqlite3.connect(host.state / "sessions.sqlite3")
    try:
        return connection.execute(query).fetchall()
    finally:
        connection.close()


def _left(host: Host) -> set[str]:
    """The files of sessions, by folder."""
    return {path.parent.name for folder in FOLDERS for path in (host.state / folder).glob("*")}


def test_an_old_session_is_dropped_and_lost_when_it_is_taken_up(host: Host) -> None:
    assert _left(host) >= {workspace.FOLDER, pairing.FOLDER}
    _set_back(host)
    other = {**host.wrote("src/b.py", "w"), "session_id": "new"}
    assert host.call({**host.payload("SessionStart", source="startup"), "session_id": "new"}).verdict == "allow"
    assert host.call(other).verdict == "allow"
    assert _asked(host, "SELECT id, state, epoch FROM session WHERE id = 's-1'") == [("s-1", b"", session_pruning.GONE)]
    assert _asked(host, "SELECT count(*) FROM entry WHERE session = 's-1'") == [(0,)]
    done = host.call(host.stop())
    assert done.refused and "not known" in done.err
    for payload in (host.wrote("src/a.py", "w2"), host.ran("pytest -q", "t2"), host.stop()):
        assert host.call(payload).verdict == "allow"


def test_its_files_go_and_what_stopped_it_stays(host: Host) -> None:
    names = [path.name for path in (host.state / workspace.FOLDER).iterdir()]
    (host.state / stopped.FOLDER).mkdir(mode=0o700)
    (host.state / stopped.FOLDER / names[0]).write_bytes(b'["",""]')
    draft, aside = host.state / ".a.1-2.new", host.state / "sessions.sqlite3.corrupt-1"
    for path in (draft, aside):
        path.write_bytes(b"x")
    _set_back(host)
    young = {**host.shell("ls"), "session_id": "new"}
    done = host.call(young)
    assert done.verdict == "allow", done
    kept = [path.name for folder in FOLDERS for path in (host.state / folder).glob("*")]
    assert kept and not set(kept) & set(names)
    assert not draft.exists() and not aside.exists()
    assert (host.state / stopped.FOLDER / names[0]).exists()


def test_files_of_a_session_that_goes_on_stay(host: Host) -> None:
    name = next((host.state / pairing.FOLDER).iterdir()).name
    _set_back(host)
    os.utime(host.state / pairing.FOLDER / name)
    assert host.call({**host.shell("ls"), "session_id": "new"}).verdict == "allow"
    assert (host.state / workspace.FOLDER / name).exists()


def test_programs_that_no_workspace_uses_go(host: Host) -> None:
    before = {path.name for path in (host.cache / "programs").iterdir()}
    host.write_policy(STATEFUL + NO_LS.replace("language 1", ""))
    assert host.call(host.shell("ls")).verdict == "deny"
    assert before < {path.name for path in (host.cache / "programs").iterdir()}
    _set_back(host)
    assert host.call(host.shell("ls")).verdict == "deny"
    host.call(host.shell("ls"))  # the one before dropped the head as well, and this one makes it anew
    left = {path.name for path in (host.cache / "programs").iterdir()}
    assert len(left) == 1 and not left & before
    assert list((host.state / "status").iterdir())


def test_a_step_is_bounded_and_the_next_one_goes_on(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    place = str(tmp_path / "state.db")
    store = SqliteStore(place)
    store.begin("first")
    store.commit("first", b"x")
    rows = [
        (f"s{number}", "x", b"%d" % row, row, b"v" * 50) for number in (1, 2) for row in range(PRUNE_ENTRIES * 2 // 3)
    ]
    with sqlite3.connect(place) as connection:
        connection.executemany(
            "INSERT INTO session VALUES (?, ?, 0, 0)", [(f"s{n}", b"x" * 5000) for n in range(1, 200)]
        )
        connection.executemany("INSERT INTO entry VALUES (?, ?, ?, ?, ?)", rows)
    connection.close()
    seen = []
    for number in range(8):
        store.begin(f"new{number}")
        store.commit(f"new{number}", b"x")
        with sqlite3.connect(place) as connection:
            seen.append(
                connection.execute("SELECT count(*) FROM session WHERE epoch >= 0 AND touched = 0").fetchone()[0]
            )
            if number == 0:
                assert connection.execute("SELECT count(*) FROM entry").fetchone()[0] == len(rows) - PRUNE_ENTRIES
        connection.close()
    assert seen[-1] == 0 and all(one - other <= PRUNE_SESSIONS for one, other in zip([199, *seen], seen, strict=False))
    for session in ("s1", "s150"):
        assert store.begin(session) == LOST
        store.rollback()
    store.close()
    assert os.stat(place).st_size < 1 << 18  # it had 200 blobs of more than a page


def test_a_store_that_is_too_big_drops_the_oldest_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_pruning, "STORE_BYTES", 1 << 20)
    tmp_path.chmod(0o700)
    store = SqliteStore(str(tmp_path / "state.db"))
    for number in range(2):
        store.begin(f"s{number}")
        store.commit(f"s{number}", b"x" * (1 << 19))
    two_days = int(time.time()) - 2 * 86_400
    with sqlite3.connect(store.path) as connection:
        connection.execute("UPDATE session SET touched = ? WHERE id = 's0'", (two_days,))
    connection.close()
    store.begin("new")
    store.commit("new", b"x")
    assert store.begin("s0") == LOST
    store.rollback()
    assert store.begin("s1") == b"x" * (1 << 19)
    store.close()

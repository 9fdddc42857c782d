"""Hooks whose sessions are in a PostgreSQL server: in crowds, killed, on another machine, and while it is down."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.end_to_end.host import POLICY, STATEFUL, Host
from tests.faults.crowd import Answered, counting, crowd
from tests.faults.kill import forked, hooked
from tests.postgres import keep_in, server

SECRET = "sw0rdfish"


@pytest.fixture
def address() -> str:
    return server().database()


@pytest.fixture
def served(tmp_path: Path, address: str) -> Host:
    host = Host(tmp_path)
    keep_in(host, address)
    return host


@pytest.fixture
def tested(served: Host) -> Host:
    """A session in which the tests passed after a change."""
    served.write_policy(STATEFUL)
    served.warm()
    for payload in (served.wrote("src/a.py", "w"), served.ran("pytest -q", "t")):
        assert served.call(payload).verdict == "allow"
    assert served.call(served.stop()).verdict == "allow"
    return served


def all_allowed(found: list[Answered]) -> bool:
    """Whether each process had its turn in time; on a machine too busy for it, the others refused and said so."""
    late = [one.done for one in found if one.done.err or one.done.verdict != "allow"]
    assert [done.err for done in late if not done.refused or "E-" not in done.err] == []
    return not late


@pytest.mark.fault(78)
def test_a_crowd_in_one_session_is_counted_exactly(served: Host) -> None:
    counting(served, 13)
    if all_allowed(crowd(served, 12)):
        done = served.call(served.shell("ls"))
        assert done.refused and "That is enough." in done.err  # at the 13th, not before
    assert not (served.state / "sessions.sqlite3").exists()


@pytest.mark.fault(79)
def test_sessions_of_a_crowd_do_not_count_for_each_other(served: Host) -> None:
    counting(served, 2)
    if all_allowed(crowd(served, 12, own=True)):
        assert served.call(served.shell("ls", session_id="s-1-7")).refused


@pytest.mark.fault(83)
def test_a_killed_engine_loses_nothing_that_it_answered(address: str) -> None:
    found = forked(100, address)
    assert (found.kills, found.faults) == (100, [])


@pytest.mark.fault(83)
def test_a_killed_hook_loses_nothing_that_it_answered(served: Host, address: str) -> None:
    found = hooked(3, served, place=address)
    assert (found.kills, found.faults) == (3, [])


def test_a_policy_that_changes_keeps_the_past(tested: Host) -> None:
    tested.write_policy(STATEFUL + "\n# another version\n")
    tested.warm()
    assert tested.call(tested.stop()).verdict == "allow"
    tested.call(tested.wrote("src/a.py", "w2"))
    assert tested.call(tested.stop()).refused


@pytest.mark.fault(88)
def test_while_the_server_is_down_nothing_is_allowed_that_needs_the_past(tested: Host) -> None:
    running = server()
    running.stop()
    try:
        assert tested.call(tested.shell("rm a")).refused
        assert tested.call(tested.shell("ls")).verdict == "allow"
        tested.call(tested.wrote("src/b.py", "w2"))
        done = tested.call(tested.stop())
        assert done.refused and "E-STORE" in done.err and "cannot be reached" in done.err
    finally:
        running.start()
    assert tested.call(tested.stop()).refused  # a write is missing, and nobody saw the tests pass since
    tested.call(tested.ran("pytest -q", "t2"))
    assert tested.call(tested.stop()).verdict == "allow"


def test_a_session_that_goes_on_on_another_machine_keeps_its_past(tested: Host, tmp_path: Path, address: str) -> None:
    other = tmp_path / "other"
    other.mkdir()
    elsewhere = Host(other)
    keep_in(elsewhere, address)
    shutil.copytree(tested.workspace, elsewhere.workspace, dirs_exist_ok=True)
    elsewhere.call(elsewhere.payload("SessionStart", source="resume"))
    assert elsewhere.call(elsewhere.stop()).verdict == "allow"
    tested.call(tested.wrote("src/a.py", "w2"))
    assert elsewhere.call(elsewhere.stop()).refused


@pytest.mark.requirement("R17")
def test_a_repository_chooses_no_store(tmp_path: Path, address: str) -> None:
    host = Host(tmp_path)
    host.write_policy(STATEFUL)
    (host.policy.parent / "policy.toml").write_text(f'store = "{address}"\n')
    host.warm()
    host.call(host.wrote("src/a.py", "w"))
    assert host.call(host.stop()).refused
    assert (host.state / "sessions.sqlite3").exists()


@pytest.mark.requirement("R17")
def test_a_password_in_the_settings_refuses_and_is_told_nobody(tmp_path: Path) -> None:
    host = Host(tmp_path)
    keep_in(host, f"postgresql://u:{SECRET}@127.0.0.1:1/db")
    host.write_policy(POLICY)
    for payload in (host.shell("ls"), host.wrote("src/a.py", "w"), host.stop()):
        done = host.call(payload)
        assert SECRET not in done.err and SECRET.encode() not in done.out
    assert host.call(host.shell("ls")).refused
    kept = [path for path in (*host.state.rglob("*"), *host.cache.rglob("*")) if path.is_file()]
    assert kept and not any(SECRET.encode() in path.read_bytes() for path in kept)

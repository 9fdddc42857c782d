"""A hook whose store is damaged, busy or full: rules that need the past refuse, the others decide (faults D and E)."""

from __future__ import annotations

import json
import resource
import shutil
import sqlite3

import pytest

from tests.end_to_end.host import STATEFUL, Host


@pytest.fixture
def stateful(host: Host) -> Host:
    """A session in which README.md was read and the tests passed after a change."""
    host.write_policy(STATEFUL)
    host.warm()
    given = {"file_path": str(host.workspace / "README.md")}
    read = host.payload("PostToolUse", tool_name="Read", tool_input=given, tool_response={}, tool_use_id="r")
    for payload in (read, host.wrote("src/a.py", "w"), host.ran("pytest -q", "t")):
        assert host.call(payload).verdict == "allow"
    done = host.call(host.stop())
    assert done.verdict == "allow", done
    return host


def _write(host: Host) -> dict[str, object]:
    given = {"file_path": str(host.workspace / "b"), "content": ""}
    return host.payload("PreToolUse", tool_name="Write", tool_input=given)


def _rules_without_a_past_decide(host: Host) -> None:
    assert host.call(host.shell("rm a")).refused
    assert host.call(host.shell("ls")).verdict == "allow"


@pytest.mark.fault(89)
def test_a_damaged_store_is_set_aside_and_stateful_rules_refuse(stateful: Host) -> None:
    database = stateful.state / "sessions.sqlite3"
    (stateful.workspace / "src").mkdir()
    (stateful.workspace / "src" / "a.py").write_text("")  # without it, that nothing was written is known all the same
    assert stateful.call(_write(stateful)).verdict == "allow"
    for side in ("-wal", "-shm"):
        database.with_name(database.name + side).unlink(missing_ok=True)
    database.write_bytes(b"not a database" * 1000)
    _rules_without_a_past_decide(stateful)
    done = stateful.call(_write(stateful))
    assert done.refused and "E-STORE" in done.err and "corrupt" in done.err
    assert stateful.call(stateful.stop()).refused
    assert [path.name for path in stateful.state.glob("*.corrupt-*")] != []


@pytest.mark.fault(88)
def test_a_store_that_another_holds_makes_stateful_rules_refuse(stateful: Host) -> None:
    with sqlite3.connect(stateful.state / "sessions.sqlite3", isolation_level=None) as connection:
        connection.execute("BEGIN IMMEDIATE")
        _rules_without_a_past_decide(stateful)
        done = stateful.call(stateful.stop())
        assert done.refused and "busy" in done.err
        connection.execute("ROLLBACK")
    connection.close()


@pytest.mark.fault(88)
def test_an_event_that_could_not_be_recorded_is_missed(stateful: Host) -> None:
    with sqlite3.connect(stateful.state / "sessions.sqlite3", isolation_level=None) as connection:
        connection.execute("BEGIN IMMEDIATE")
        done = stateful.call(stateful.wrote("src/a.py", "w2"))
        assert "E-STORE" in json.loads(done.out)["systemMessage"]
        connection.execute("ROLLBACK")
    connection.close()
    done = stateful.call(stateful.stop())  # the tests ran before the write that nobody remembers
    assert done.refused and "lost" in done.err
    for payload in (stateful.wrote("src/a.py", "w3"), stateful.ran("pytest -q", "t3")):
        assert stateful.call(payload).verdict == "allow"
    assert stateful.call(stateful.stop()).verdict == "allow"
    assert list(stateful.state.glob("*.lost-*")) == []


def test_other_sessions_do_not_miss_it(stateful: Host) -> None:
    with sqlite3.connect(stateful.state / "sessions.sqlite3", isolation_level=None) as connection:
        connection.execute("BEGIN IMMEDIATE")
        stateful.call({**stateful.wrote("src/a.py", "w2"), "session_id": "s-2"})
        connection.execute("ROLLBACK")
    connection.close()
    assert stateful.call(stateful.stop()).verdict == "allow"


def test_a_malformed_report_of_a_call_is_missed_too(stateful: Host) -> None:
    payload = stateful.wrote("src/a.py", "w2")
    payload["tool_input"] = {"file_path": 7, "content": "x"}
    stateful.call(payload)
    assert stateful.call(stateful.stop()).refused


@pytest.mark.fault(89)
def test_a_store_of_another_program_makes_stateful_rules_refuse(stateful: Host) -> None:
    for path in stateful.state.glob("sessions.sqlite3*"):
        path.unlink()
    with sqlite3.connect(stateful.state / "sessions.sqlite3") as connection:
        connection.execute("CREATE TABLE theirs (a)")
    connection.close()
    done = stateful.call(stateful.stop())
    assert done.refused and "foreign" in done.err
    _rules_without_a_past_decide(stateful)


@pytest.mark.fault(87)
def test_a_store_that_cannot_be_written_makes_stateful_rules_refuse(stateful: Host) -> None:
    shutil.rmtree(stateful.state)
    stateful.state.write_text("in the way")
    assert "E-SESSION" in stateful.call(stateful.shell("ls")).err  # nor is it known where the session began
    stateful.environment["CLAUDE_PROJECT_DIR"] = str(stateful.workspace)
    done = stateful.call(stateful.stop())
    assert done.refused and "E-STORE" in done.err
    _rules_without_a_past_decide(stateful)


def _no_room() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))


@pytest.mark.fault(87)
def test_without_room_stateful_rules_refuse_and_the_event_is_missed(stateful: Host) -> None:
    done = stateful.call(stateful.wrote("src/a.py", "w2"), preexec_fn=_no_room)
    assert "E-STORE" in done.err
    assert stateful.call(stateful.shell("rm a"), preexec_fn=_no_room).refused
    assert stateful.call(stateful.shell("ls"), preexec_fn=_no_room).verdict == "allow"
    assert stateful.call(stateful.stop()).refused


@pytest.mark.fault(87, 92)
def test_a_log_that_cannot_be_written_is_said_and_changes_nothing(stateful: Host) -> None:
    log = stateful.state / "decisions.jsonl"
    log.unlink()
    log.symlink_to("/dev/null")
    done = stateful.call(stateful.shell("ls"))
    assert (done.verdict, "the decision log cannot be written" in done.err) == ("allow", True)
    assert stateful.call(stateful.shell("rm a")).refused


@pytest.mark.fault(81)
def test_few_file_descriptors_are_enough_to_refuse(stateful: Host) -> None:
    def few() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (4, 4))  # with three not even the interpreter starts

    assert stateful.call(stateful.shell("rm a"), preexec_fn=few).verdict == "deny"
    assert stateful.call(stateful.stop(), preexec_fn=few).verdict == "deny"


@pytest.mark.fault(81)
def test_little_memory_ends_in_a_refusal(stateful: Host) -> None:
    def little() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (48 << 20, 48 << 20))

    done = stateful.call(stateful.shell("x" * (7 << 20)), preexec_fn=little)
    assert done.status == 2 and "Traceback" not in done.err

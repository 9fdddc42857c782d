"""What hook processes leave in the decision log: one record of every event, whatever ended it, in one chain."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from policy_engine.audit.check import check_log
from tests.end_to_end.host import BROKEN, HOOK, POLICY, STATEFUL, Host, ended

SECRET = "hunter2-Tr0ub4dor"


@pytest.fixture
def warm(host: Host) -> Host:
    """A host whose policy is in force."""
    host.write_policy(POLICY)
    host.warm()
    return host


def _log(host: Host) -> Path:
    return host.state / "decisions.jsonl"


def _records(host: Host) -> list[dict[str, Any]]:
    return [json.loads(line) for line in _log(host).read_bytes().splitlines()]


def _sound(host: Host) -> bool:
    checked = check_log([str(_log(host))])
    return not checked.findings and not checked.unknown and checked.records == len(_records(host))


@pytest.mark.requirement("R24")
def test_a_record_holds_the_decision_and_the_whole_event(warm: Host) -> None:
    assert warm.call(warm.shell("rm a", tool_use_id="t1")).refused
    record = _records(warm)[-1]
    assert (record["verdict"], record["event"], record["rules"][0]["rule"]) == ("deny", "t1.before_tool", "no-rm")
    assert record["input"]["tool"] == {"name": "Bash", "kind": "shell", "args": {"command": "rm a"}, "id": "t1"}
    assert "altered" not in record and "code" not in record
    assert _sound(warm)


@pytest.mark.requirement("R1", "R24")
@pytest.mark.parametrize(
    ("payload", "code"),
    [
        (b"{nonsense", "E-JSON"),
        (b"", "E-EMPTY"),
        (b'{"hook_event_name": "PreToolUse", "hook_event_name": "Stop"}', "E-DUPKEY"),
        (b'{"hook_event_name": "Unheard"}', "E-POINT"),
        (b'{"hook_event_name": "PreToolUse", "session_id": "s", "cwd": "/"}', "E-FIELD"),
    ],
)
def test_an_event_that_cannot_be_read_leaves_one_record_with_its_code(warm: Host, payload: bytes, code: str) -> None:
    before = len(_records(warm))
    assert warm.call(payload).verdict == "deny"
    (record,) = _records(warm)[before:]
    assert (record["code"], record["verdict"], record["errors"][0].partition(":")[0]) == (code, "deny", code)
    assert _sound(warm)


@pytest.mark.requirement("R24")
def test_a_policy_that_does_not_load_leaves_one_record_with_its_code(host: Host) -> None:
    host.write_policy(BROKEN)
    assert host.call(host.shell("ls")).refused
    assert [(record["code"], record["session"]) for record in _records(host)] == [("E-POLICY", "s-1")]


@pytest.mark.requirement("R4", "R24")
def test_a_deadline_and_a_signal_leave_one_record_each(warm: Host) -> None:
    before = len(_records(warm))
    slow = warm.start(subprocess.PIPE, env={"POLICY_DEADLINE_MS": "300"})
    assert slow.wait(60) == 2  # while its standard input stays open
    slow.communicate()
    told = warm.start(subprocess.PIPE)
    assert told.stdin is not None
    told.stdin.write(b'{"hook_event_name":')
    told.stdin.flush()
    while not _signals_caught(told.pid):
        pass
    told.send_signal(signal.SIGTERM)
    assert ended(told).status == 2
    assert [(record["code"], record["verdict"]) for record in _records(warm)[before:]] == [
        ("E-DEADLINE", "deny"),
        ("E-SIGNAL", "deny"),
    ]
    assert _sound(warm)


def _signals_caught(process: int) -> bool:
    """Whether SIGTERM has a handler in that process."""
    status = Path(f"/proc/{process}/status").read_text()
    caught = next(line.split()[1] for line in status.splitlines() if line.startswith("SigCgt"))
    return bool(int(caught, 16) >> (signal.SIGTERM - 1) & 1)


@pytest.mark.requirement("R1", "R24")
def test_an_engine_that_cannot_start_leaves_a_record(warm: Host, tmp_path: Path) -> None:
    program = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "import policy_engine.hook_process.response_writer as a; del a.ResponseWriter\n"
        "from policy_engine.hook import run; import posix; posix._exit(run(['claude-code']))"
    )
    root = str(HOOK.parents[1])
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program, root], env=warm.environment, capture_output=True, check=False
    )
    assert (done.returncode, b"E-START" in done.stderr) == (2, True)
    assert _records(warm)[-1]["code"] == "E-START"


@pytest.mark.requirement("R24")
def test_a_fault_of_the_engine_leaves_its_code(host: Host) -> None:
    host.write_policy(STATEFUL)
    host.warm()
    (host.state / "sessions.sqlite3").unlink(missing_ok=True)
    (host.state / "sessions.sqlite3").mkdir()
    host.call(host.stop())
    assert [record["code"] for record in _records(host) if record["hook"] == "before_completion"] == ["E-STORE"]


@pytest.mark.requirement("R24")
def test_a_hundred_hook_processes_leave_a_hundred_records_in_one_chain(warm: Host) -> None:
    before = len(_records(warm))
    for _ in range(5):
        running = [warm.start(subprocess.PIPE) for _ in range(20)]
        for number, process in enumerate(running):
            assert process.stdin is not None
            process.stdin.write(json.dumps(warm.shell(("ls", "rm a")[number % 2])).encode())
            process.stdin.close()
            process.stdin = None
        assert {done.status for done in map(ended, running)} == {0, 2}
    assert len(_records(warm)) == before + 100
    assert _sound(warm)


@pytest.mark.fault(83)
def test_a_writer_that_is_killed_leaves_a_chain_that_goes_on(warm: Host) -> None:
    payload = json.dumps(warm.shell("ls", padding="x" * 200_000)).encode()
    for wait in range(12):
        process = warm.start(subprocess.PIPE)
        assert process.stdin is not None
        try:
            process.stdin.write(payload)
            process.stdin.close()
        except BrokenPipeError:
            pass
        try:
            process.wait(wait / 300)
        except subprocess.TimeoutExpired:
            os.kill(process.pid, signal.SIGKILL)
        process.stdin = None
        process.communicate()
    assert warm.call(warm.shell("rm a")).refused
    checked = check_log([str(_log(warm))])
    assert (checked.findings, checked.unknown) == ([], [])


@pytest.mark.fault(92)
@pytest.mark.parametrize("what", ["link to a file", "link to /dev/null", "fifo", "folder"])
def test_a_log_that_is_no_file_of_ours_is_said_and_changes_no_verdict(warm: Host, tmp_path: Path, what: str) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    log = _log(warm)
    log.unlink()
    if what == "fifo":
        os.mkfifo(log)
    elif what == "folder":
        log.mkdir()
    else:
        log.symlink_to(victim if what == "link to a file" else "/dev/null")
    assert warm.call(warm.shell("rm a")).refused
    done = warm.call(warm.shell("ls"))
    assert (done.verdict, "the decision log cannot be written" in done.err) == ("allow", True)
    assert victim.read_text() == "precious"


def test_a_full_disk_tears_no_chain(warm: Host) -> None:
    size = _log(warm).stat().st_size + 100

    def little_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    before = len(_records(warm))
    done = warm.call(warm.shell("rm a"), preexec_fn=little_room)
    assert done.refused and "the decision log cannot be written" in done.err
    assert warm.call(warm.shell("ls")).verdict == "allow"
    checked = check_log([str(_log(warm))])
    assert (checked.records, checked.findings, len(checked.notes)) == (before + 1, [], 1)


def test_a_stopped_process_that_holds_the_lock_delays_no_verdict_and_loses_no_record(warm: Host) -> None:
    program = (
        "import posix, sys; file = posix.open(sys.argv[1], posix.O_RDWR); posix.lockf(file, posix.F_LOCK, 0);"
        "print('held', flush=True); sys.stdin.read()"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", program, str(warm.state / "decisions.head")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert holder.stdout is not None
    holder.stdout.readline()
    holder.send_signal(signal.SIGSTOP)
    before = len(_records(warm))
    done = warm.call(warm.shell("rm a"))
    assert done.refused and "the record waits beside it" in done.err
    holder.kill()
    holder.communicate()
    assert warm.call(warm.shell("ls")).verdict == "allow"
    assert [(record["verdict"], record.get("late")) for record in _records(warm)[before:]] == [
        ("deny", True),
        ("allow", None),
    ]
    assert _sound(warm)


@pytest.mark.fault(94)
@pytest.mark.requirement("R24")
@pytest.mark.parametrize(
    "command",
    [
        f"PGPASSWORD={SECRET} psql -h db",
        f"curl -u bob:{SECRET} https://example.test",
        f"curl -H 'Authorization: Bearer {SECRET}' https://example.test",
        f"mysql -uroot -p{SECRET} shop",
        f"git clone https://bob:{SECRET}@example.test/a.git",
        f"rm --password '{SECRET}' a",
        f'rm a --data \'{{"client_secret": "{SECRET}"}}\'',
    ],
)
def test_a_secret_reaches_no_file_of_the_state_folder(warm: Host, command: str) -> None:
    assert warm.call(warm.shell(command)).verdict == ("deny" if command[:2] == "rm" else "allow")
    assert _records(warm)[-1]["altered"] == ["redacted"]
    for path in warm.state.rglob("*"):
        assert not path.is_file() or SECRET.encode() not in path.read_bytes(), path
    assert _sound(warm)


@pytest.mark.fault(94)
def test_a_secret_in_a_payload_that_cannot_be_read_does_not_reach_the_log(warm: Host) -> None:
    assert warm.call(f'{{"hook_event_name": "PASSWORD={SECRET}"}}'.encode()).verdict == "deny"
    assert SECRET not in _log(warm).read_text()
    assert _records(warm)[-1]["code"] == "E-POINT"


@pytest.mark.requirement("R24")
def test_the_log_of_real_processes_replayed_gives_the_recorded_decisions_byte_for_byte(host: Host) -> None:
    host.write_policy(STATEFUL)
    name = str(host.workspace / "src" / "a.py")
    payloads = [
        host.shell("ls"),
        host.stop(),
        host.payload("PreToolUse", tool_name="Read", tool_input={"file_path": name}, tool_use_id="r1"),
        host.shell("rm a", tool_use_id="t1"),
        host.payload("UserPromptSubmit", prompt="Go on."),
        host.payload("PreToolUse", tool_name="Write", tool_input={"file_path": name, "content": "x"}),
        host.stop(),
        host.shell("echo a --password hunter2"),
    ]
    for payload in payloads:
        host.call(payload)
    assert host.call(b"{nonsense").verdict == "deny"
    done = subprocess.run(
        [sys.executable, "-m", "policy_engine", "replay", str(_log(host)), "--format", "json"],
        env={**os.environ, **host.environment, "PYTHONPATH": str(HOOK.parents[1])},
        capture_output=True,
        check=False,
    )
    found = json.loads(done.stdout)
    assert found["compared"] == {"same": len(payloads) - 1, "same_verdict": 0, "different": 0, "not_whole": 1}
    assert (done.returncode, found["failed"]) == (1, 1)

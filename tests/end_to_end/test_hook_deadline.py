"""The hook's own deadline, and signals: the process never ends without a refusal, and never says two things."""

from __future__ import annotations

import _signal
import io
import json
import os
import select
import signal
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from policy_engine.adapters.claude_code import ADAPTER
from policy_engine.hook_process.response_writer import COMPILE_MS, WARM_MS, ResponseWriter
from tests.end_to_end.host import COMMAND, SECONDS, STATEFUL, Done, Host, ended

SOON = {"POLICY_DEADLINE_MS": "60"}
PIPE = 1 << 16  # bytes that a pipe holds; who wrote more knows that the other end has read


@contextmanager
def waiting(host: Host, **options: object) -> Iterator[tuple[subprocess.Popen[bytes], io.FileIO]]:
    """A process that waits for the rest of its payload, and the end to write it into."""
    read, write = os.pipe()
    process = host.start(read, **options)
    os.close(read)
    file = io.FileIO(write, "wb")
    data = b" " * (2 * PIPE)
    while data:
        data = data[file.write(data) :]
    try:
        yield process, file
    finally:
        file.close()
        if process.poll() is None:
            process.kill()
            process.communicate()


@pytest.mark.fault(3)
@pytest.mark.requirement("R4")
def test_a_payload_that_never_ends_is_refused_by_the_deadline(ready: Host) -> None:
    with waiting(ready, env=SOON) as (process, _):
        done = ended(process)
    assert (done.verdict, "E-DEADLINE" in done.err) == ("deny", True)


@pytest.mark.fault(3)
@pytest.mark.requirement("R4", "R2")
def test_a_stalled_payload_of_a_named_event_is_refused_in_its_words(ready: Host) -> None:
    read, write = os.pipe()
    process = subprocess.Popen(
        [*COMMAND, "claude-code", "--event", "PreToolUse"],
        stdin=read,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**ready.environment, **SOON},
    )
    done = ended(process)
    os.close(read)
    os.close(write)
    assert done.refused and "E-DEADLINE" in done.err


@pytest.mark.fault(3)
@pytest.mark.requirement("R4")
def test_a_fifo_that_nobody_writes_is_refused(ready: Host) -> None:
    fifo = ready.home / "fifo"
    os.mkfifo(fifo)
    descriptor = os.open(fifo, os.O_RDWR)  # a writer that writes nothing
    done = ended(ready.start(descriptor, env=SOON))
    os.close(descriptor)
    fifo.unlink()
    assert (done.verdict, "E-DEADLINE" in done.err) == ("deny", True)


@pytest.mark.fault(80)
@pytest.mark.requirement("R4")
def test_a_policy_that_takes_too_long_to_compile_is_a_refusal(host: Host) -> None:
    host.write_policy(STATEFUL)
    named = ("claude-code", "--event", "PreToolUse")  # the deadline may come before the payload is read
    done = host.call(host.shell("ls"), *named, env={"POLICY_DEADLINE_MS": "1"})
    assert done.refused and "E-DEADLINE" in done.err
    assert host.call(host.shell("ls")).verdict == "allow"


def test_what_the_deadline_kept_from_being_recorded_is_missed(host: Host) -> None:
    """The store is held, so that the deadline comes while the event waits; when the event is read, the machine says."""
    host.write_policy(STATEFUL)
    host.call(host.wrote("src/a.py", "w"))
    said = []
    for milliseconds in (40, 80, 120, 160, 190):
        with sqlite3.connect(host.state / "sessions.sqlite3", isolation_level=None) as connection:
            connection.execute("BEGIN IMMEDIATE")
            done = host.call(host.wrote("src/a.py", "w"), env={"POLICY_DEADLINE_MS": str(milliseconds)})
        connection.close()
        stopped = host.call(host.stop())
        said.append(("E-DEADLINE" in json.loads(done.out)["systemMessage"], stopped.refused and "lost" in stopped.err))
    assert (True, True) in said


@pytest.mark.requirement("R4")
def test_a_blocked_alarm_rings_all_the_same(ready: Host) -> None:
    def block() -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGALRM,))

    with waiting(ready, env=SOON, preexec_fn=block) as (process, _):
        assert "E-DEADLINE" in ended(process).err


@pytest.mark.fault(82)
@pytest.mark.requirement("R1", "R4")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_is_answered_with_a_refusal(ready: Host, number: signal.Signals) -> None:
    def heed() -> None:
        signal.signal(number, signal.SIG_DFL)  # whoever started the tests may ignore it

    with waiting(ready, preexec_fn=heed) as (process, _):
        process.send_signal(number)
        done = ended(process)
    assert (done.verdict, f"signal {int(number)}" in done.err) == ("deny", True)


def test_signals_that_were_ignored_stay_ignored(ready: Host) -> None:
    def ignore() -> None:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    with waiting(ready, preexec_fn=ignore) as (process, write):
        process.send_signal(signal.SIGHUP)
        write.write(json.dumps(ready.shell("rm a")).encode())
        write.close()
        done = ended(process)
    assert done.refused and "removes files" in done.err


def _full_pipe() -> tuple[int, int]:
    read, write = os.pipe()
    os.set_blocking(write, False)
    try:
        while True:
            os.write(write, b"x" * 4096)
    except BlockingIOError:
        os.set_blocking(write, True)
    return read, write


@pytest.mark.fault(108)
@pytest.mark.requirement("R3", "R4")
@pytest.mark.parametrize("signals", [(), (signal.SIGTERM, signal.SIGTERM)])
def test_an_answer_that_nobody_reads_ends_in_a_refusing_status_and_is_said_once(
    ready: Host, signals: tuple[signal.Signals, ...]
) -> None:
    read, write = _full_pipe()
    process = subprocess.Popen(
        [*COMMAND, "claude-code"],
        stdin=subprocess.PIPE,
        stdout=write,
        stderr=subprocess.PIPE,
        env={**ready.environment, "POLICY_DEADLINE_MS": "300"},
    )
    os.close(write)
    assert process.stdin is not None and process.stderr is not None
    process.stdin.write(json.dumps(ready.shell("rm a")).encode())
    process.stdin.close()
    assert select.select([process.stderr], [], [], SECONDS)[0]  # standard error comes first: now it hangs on the other
    for number in signals:
        process.send_signal(number)
    assert process.wait(SECONDS) == 2
    err = process.stderr.read().decode()
    process.stderr.close()
    os.close(read)
    assert (err.count("removes files"), "E-SIGNAL" in err, "E-DEADLINE" in err) == (1, False, False)


@pytest.fixture
def variable(monkeypatch: pytest.MonkeyPatch) -> Callable[[bytes], ResponseWriter]:
    """An `ResponseWriter` in this process, made under a value of the variable."""

    def make(value: bytes) -> ResponseWriter:
        monkeypatch.setitem(__import__("posix").environ, b"POLICY_DEADLINE_MS", value)
        return ResponseWriter(ADAPTER, "PreToolUse")

    return make


@pytest.mark.parametrize(
    ("value", "most"), [(b"", WARM_MS), (b"999999999", WARM_MS), (b"-5", WARM_MS), (b"0", WARM_MS), (b"1000", 1000)]
)
def test_the_variable_only_shortens_the_deadline(
    variable: Callable[[bytes], ResponseWriter], value: bytes, most: int
) -> None:
    before = [_signal.getsignal(number) for number in (signal.SIGALRM, signal.SIGTERM, signal.SIGINT)]
    response = variable(value)
    response.start()
    left = _signal.getitimer(_signal.ITIMER_REAL)[0]
    response.compiling()
    more = _signal.getitimer(_signal.ITIMER_REAL)[0]
    response.stop()
    assert 0 < left <= most / 1000
    assert 0 < more <= (COMPILE_MS if most == WARM_MS else most) / 1000
    assert (more > WARM_MS / 1000) == (most == WARM_MS)
    assert _signal.getitimer(_signal.ITIMER_REAL) == (0, 0)
    assert [_signal.getsignal(number) for number in (signal.SIGALRM, signal.SIGTERM, signal.SIGINT)] == before


def test_a_finished_answer_is_one_answer(ready: Host) -> None:
    done: Done = ready.call(ready.shell("rm a"))
    assert done.out.count(b'permissionDecision"') == 1

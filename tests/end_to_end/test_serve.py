"""`policy serve` as a process: the same answers, sessions apart, its bounds, and its end."""

from __future__ import annotations

import json
import marshal
import os
import signal
import socket
import subprocess
import time
from pathlib import Path

import pytest

from policy_engine.hook_process.resident import HEAD, NO, RESULT, YES, receive
from tests.end_to_end.host import COMMAND, NO_LS, POLICY, SECONDS, STATEFUL, Host
from tests.end_to_end.residence import Resident, serving
from tests.end_to_end.test_trust_clock import LEAVES, left
from tests.end_to_end.trusting import put, trust
from tests.faults.crowd import counting, crowd


def hand_over(caller: socket.socket, host: Host, payload: dict[str, object], folder: Path | None = None) -> None:
    """The rest of a request."""
    environment = {os.fsencode(name): os.fsencode(value) for name, value in host.environment.items()}
    body = marshal.dumps(
        ("hook", "claude-code", None, os.fsencode(folder or host.workspace), environment, json.dumps(payload).encode())
    )
    socket.send_fds(caller, [len(body).to_bytes(4, "little")], [2])
    caller.sendall(body)


def told(caller: socket.socket) -> tuple[int, bytes, bytes]:
    """The result, without what was said before it."""
    while True:
        head = receive(caller, HEAD)
        value = marshal.loads(receive(caller, int.from_bytes(head[1:], "little")))
        if head[:1] == RESULT:
            found: tuple[int, bytes, bytes] = value
            return found


def test_it_gives_the_same_bytes_as_a_hook_that_decides_by_itself(host: Host) -> None:
    host.write_policy(STATEFUL)
    host.warm()
    host.asks = False
    events = [
        host.shell("ls"),
        host.shell("rm a; cd b && rm c"),
        host.payload("PreToolUse", tool_name="Write", tool_input={"file_path": "src/a", "content": "x"}),
        host.payload("PreToolUse", tool_name="Read", tool_input={"file_path": "README.md"}),
        host.payload("PreToolUse"),
        host.payload("Nothing"),
        host.wrote("src/a.py", "c1"),
        host.stop(),
        host.ran("pytest -q", "c2"),
        host.stop(),
        b"{",
        b"[1]",
    ]
    alone = [host.call({**event, "session_id": "s-alone"} if isinstance(event, dict) else event) for event in events]
    with serving(host) as resident:
        served = [host.call(event) for event in events]
        assert resident.answered() == len(events)
    assert served == alone
    assert {done.verdict for done in served} == {"allow", "deny"}


def test_it_and_hooks_that_decide_by_themselves_take_turns_on_one_session(host: Host) -> None:
    host.write_policy(STATEFUL)
    host.warm()
    host.call(host.wrote("src/a.py", "c1"))
    with serving(host):
        assert host.call(host.stop()).refused
        host.call(host.ran("pytest -q", "c2"))
    assert host.call(host.stop()).verdict == "allow"


def test_a_policy_that_changes_in_any_layer_decides_the_next_event(host: Host) -> None:
    host.write_policy(POLICY)
    host.warm()
    with serving(host) as resident:
        assert host.call(host.shell("ls")).verdict == "allow"
        user = host.home / ".config" / "policy-engine"
        user.mkdir(parents=True)
        (user / "mine.policy").write_text(NO_LS)
        assert host.call(host.shell("ls")).refused
        (user / "mine.policy").write_text(POLICY)
        host.policy.write_text(POLICY.replace('"rm"', '"pwd"').replace("rm a", "pwd"))
        assert [host.call(host.shell(line)).verdict for line in ("ls", "pwd")] == ["allow", "deny"]
        assert resident.answered() == 4


def test_the_environment_and_the_folder_are_those_of_the_caller(host: Host, tmp_path: Path) -> None:
    host.write_policy(POLICY)
    host.warm()
    other = tmp_path / "other"
    other.mkdir()
    payload = {**host.shell("rm a"), "cwd": str(other)}
    with serving(host) as resident:
        assert host.call({**payload, "session_id": "s-other"}, cwd=other).verdict == "allow"
        assert host.call(
            {**payload, "session_id": "s-2"}, cwd=other, env={"CLAUDE_PROJECT_DIR": str(host.workspace)}
        ).refused
        assert resident.answered() == 2


@pytest.mark.fault(79)
def test_many_at_once_are_counted_exactly_and_sessions_are_apart(tmp_path: Path) -> None:
    host = Host(tmp_path)
    counting(host, 25)
    with serving(host, "--slots=4", "--queue=6"):  # some of them decide by themselves
        found = crowd(host, 24)
        assert [(one.done.verdict, one.done.err) for one in found] == [("allow", "")] * 24
        assert host.call({**host.shell("ls"), "session_id": "another one"}).verdict == "allow"
        assert host.call(host.shell("ls")).refused


@pytest.mark.fault(79)
def test_who_finds_the_queue_full_is_told_at_once_and_who_hangs_holds_nobody_up(host: Host) -> None:
    host.write_policy(POLICY)
    host.warm()
    with serving(host, "--slots=1", "--queue=1") as resident, resident.greet() as hanging:
        assert hanging.recv(1) == YES  # and it says nothing
        with resident.greet() as waiting, resident.connect() as third:
            assert third.recv(1) == NO
            assert host.call(host.shell("rm a")).refused
            assert waiting.recv(1) in (NO, YES)
        assert hanging.recv(1) == b""  # its time is over
        assert host.call(host.shell("rm a")).refused
        assert resident.status()["busy"] >= 1


def test_it_finishes_what_runs_before_it_ends_and_takes_nothing_new(host: Host) -> None:
    host.write_policy(POLICY)
    host.warm()
    with serving(host) as resident, resident.greet() as caller:
        assert caller.recv(1) == YES
        resident.process.send_signal(signal.SIGTERM)
        assert b"1 to be finished" in resident.process.stderr.readline()  # type: ignore[union-attr]
        assert not resident.socket.exists()
        assert host.call(host.shell("rm a")).refused
        hand_over(caller, host, host.shell("rm b"))
        assert told(caller)[0] == 2
        assert resident.process.wait(SECONDS) == 0


@pytest.mark.fault(82)
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_what_an_event_runs_ends_with_the_hook_that_waits_for_it(repository: Host, number: signal.Signals) -> None:
    os.mkfifo(repository.home / "fifo")
    put(repository, "tools/check.sh", LEAVES.replace("started", "fifo"))
    trust(repository)
    with serving(repository) as resident:
        read, write = os.pipe()
        os.write(write, json.dumps(repository.stop()).encode())
        os.close(write)
        process = repository.start(read)
        os.close(read)
        (repository.home / "fifo").read_bytes()  # until the stage runs
        process.send_signal(number)
        process.communicate(timeout=SECONDS)
        assert process.returncode in (2, -signal.SIGKILL)
        assert left() == []
        assert repository.call(repository.shell("ls")).verdict == "allow"
        resident.idle()


def test_a_second_one_for_the_same_user_does_not_start(host: Host) -> None:
    with serving(host) as resident:
        assert "runs already" in Resident(host).refusal()
        assert resident.status()["pid"] == resident.process.pid


@pytest.mark.requirement("R13")
def test_a_variable_that_leads_into_the_repository_leads_to_no_engine_there(host: Host) -> None:
    host.write_policy(POLICY)
    host.warm()
    inside = host.workspace / "state"
    with serving(host) as resident:
        place = inside / "policy-engine"
        place.mkdir(parents=True)
        (place / "serve").symlink_to(resident.folder)
        done = host.call(host.shell("ls"), env={"XDG_STATE_HOME": str(inside)})
        assert done.verdict == "deny" and "leads into the repository" in done.err
        assert resident.answered() == 0


def test_the_command_becomes_it(host: Host) -> None:
    command = (COMMAND[0], "-m", "policy_engine", "serve")
    environment = {**host.environment, "PYTHONPATH": str(Path(COMMAND[-1]).parents[1])}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert b"listening in" in process.stdout.readline()
        process.terminate()
        assert process.wait(SECONDS) == 0


def children(process: int) -> list[int]:
    """The processes that this one started and that have not ended."""
    found = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [int(each) for each in found if state(int(each)) not in ("Z", "")]


def state(process: int) -> str:
    """How the system calls its state, empty if it is gone."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2][:1]
    except OSError:
        return ""


def spare(resident: Resident, spent: int = 0) -> int:
    """The process that waits for the next event, once the `spent` one is gone.

    A process that has answered ends after its answer has arrived.
    """
    end = time.monotonic() + SECONDS
    while len(found := children(resident.process.pid)) != 1 or found == [spent]:
        assert time.monotonic() < end, found
        time.sleep(0.01)
    return found[0]


@pytest.mark.fault(84)
def test_a_process_waits_for_each_event_and_one_that_is_gone_holds_nobody_up(host: Host) -> None:
    host.write_policy(POLICY)
    host.warm()
    with serving(host) as resident:
        first = spare(resident)
        assert host.call(host.shell("rm a")).refused
        second = spare(resident, spent=first)
        assert not state(first)
        os.kill(second, signal.SIGKILL)
        assert host.call(host.shell("rm a")).refused
        spare(resident, spent=second)
        assert host.call(host.shell("ls")).verdict == "allow" and resident.answered() >= 2
        last = spare(resident)
        resident.end(signal.SIGKILL)
        end = time.monotonic() + SECONDS
        while state(last) not in ("Z", ""):
            assert time.monotonic() < end, "it outlives the resident process"
            time.sleep(0.01)

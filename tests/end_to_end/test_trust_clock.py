"""Commands of a policy under the hook's deadline: they get their time, and nothing of them outlives the answer."""

from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path

import pytest

from tests.end_to_end.host import Host, ended
from tests.end_to_end.terminal import SECONDS
from tests.end_to_end.trusting import CHECK, put, ran, trust

LASTS = f"{10_000_000 + os.getpid()}"  # seconds, by which the sleepers of these tests are known
LEAVES = f'#!/bin/sh\nsleep {LASTS} &\n(setsid sleep {LASTS}) &\necho $$ > "$HOME/started"\nexec sleep {LASTS}\n'


def left() -> list[str]:
    """The sleepers that are left, in any session, after those that were killed had the time to die."""
    late = time.monotonic() + SECONDS
    while (found := _sleepers()) and time.monotonic() < late:
        time.sleep(0.05)
    return found


def _sleepers() -> list[str]:
    found = []
    for each in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found += [each.parent.name] if each.read_bytes() == f"sleep\0{LASTS}\0".encode() else []
        except OSError:
            continue
    return found


@pytest.mark.requirement("R4")
@pytest.mark.parametrize("point", ["before_tool", "before_completion"])
def test_nothing_that_a_command_started_outlives_the_deadline(repository: Host, point: str) -> None:
    repository.warm()
    put(repository, "tools/guard.sh", LEAVES)
    put(repository, "tools/check.sh", LEAVES)
    trust(repository)
    payload = repository.shell("ls") if point == "before_tool" else repository.stop()
    done = repository.call(payload, env={"POLICY_DEADLINE_MS": "1500"})
    assert done.refused and "E-DEADLINE" in done.err and "did not end in the time that the host waits" in done.err
    assert ((repository.home / "started").exists(), left()) == (True, [])


@pytest.mark.fault(82)
@pytest.mark.requirement("R4")
def test_nothing_that_a_command_started_outlives_a_signal(repository: Host) -> None:
    os.mkfifo(repository.home / "fifo")
    put(repository, "tools/check.sh", LEAVES.replace("started", "fifo"))
    trust(repository)
    read, write = os.pipe()
    os.write(write, json.dumps(repository.stop()).encode())
    os.close(write)
    process = repository.start(read, preexec_fn=lambda: signal.signal(signal.SIGTERM, signal.SIG_DFL))
    os.close(read)
    (repository.home / "fifo").read_bytes()  # until the stage runs
    process.send_signal(signal.SIGTERM)
    done = ended(process)
    assert done.refused and "E-SIGNAL" in done.err
    assert left() == []


def test_a_stage_may_take_longer_than_the_engine_gives_itself(repository: Host) -> None:
    put(repository, "tools/check.sh", f"{CHECK}sleep 4\n")
    trust(repository)
    assert repository.call(repository.stop()).verdict == "allow" and ran(repository) == {"check"}

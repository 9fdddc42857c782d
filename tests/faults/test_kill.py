"""A process that is killed at any moment leaves a session that knows what was answered, and the next call works."""

from __future__ import annotations

import random
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.end_to_end.host import POLICY, Host
from tests.faults.kill import forked, hooked


@pytest.mark.fault(83)
@pytest.mark.requirement("R17")
def test_a_killed_engine_loses_nothing_that_it_answered(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    found = forked(100, str(tmp_path / "sessions.sqlite3"))
    assert (found.kills, found.faults) == (100, [])


@pytest.mark.fault(83)
def test_a_killed_hook_loses_nothing_that_it_answered(tmp_path: Path) -> None:
    found = hooked(5, Host(tmp_path))
    assert (found.kills, found.faults) == (5, [])


@pytest.mark.fault(83)
def test_a_hook_that_is_killed_while_it_compiles_leaves_a_cache_that_works(tmp_path: Path) -> None:
    host = Host(tmp_path)
    chance = random.Random(0)
    for number in range(3):
        host.write_policy(f"{POLICY}\n# {number}\n")
        process = host.start(subprocess.PIPE)
        assert process.stdin is not None
        with process.stdin as pipe:
            pipe.write(b'{"session_id": "s-1", "hook_event_name": "SessionStart", "cwd": "%s"}' % bytes(host.workspace))
        time.sleep(chance.random())  # of about a second that it takes
        process.send_signal(signal.SIGKILL)
        process.wait()
        for stream in (process.stdout, process.stderr):
            assert stream is not None
            stream.close()
        assert host.call(host.shell("rm a")).refused
        assert host.call(host.shell("ls")).verdict == "allow"

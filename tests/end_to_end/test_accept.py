"""What a session cannot prove afresh, a person at a terminal accepts."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tests.end_to_end.host import Host
from tests.end_to_end.terminal import at_terminal

ROOT = str(Path(__file__).resolve().parents[2])
ACCEPT = [sys.executable, "-P", "-m", "policy_engine", "accept"]
POLICY = """\
language 1

rule no-push "Nothing was pushed" {
  severity high
  on before_completion
  when ran(command("git push ..."))
  deny "Something was pushed."
}
"""


def environment(host: Host) -> dict[str, str]:
    return {**host.environment, "PYTHONPATH": ROOT}


@pytest.fixture
def doubtful(host: Host) -> Host:
    """A session that missed the end of a call: whether it pushed cannot be proven afresh."""
    host.write_policy(POLICY)
    host.warm()
    assert host.call(host.ran("ls", "t1")).verdict == "allow"
    holder = sqlite3.connect(host.state / "sessions.sqlite3", isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    host.call(host.ran("true", "t2"))
    holder.close()
    assert host.call(host.stop()).refused
    return host


@pytest.mark.parametrize(("typed", "status", "verdict"), [("accept", 0, "allow"), ("yes", 1, "deny")])
@pytest.mark.parametrize("named", [(), ("s-1",)])
def test_a_person_ends_the_doubt(doubtful: Host, typed: str, status: int, verdict: str, named: tuple[str, ...]) -> None:
    found, said = at_terminal([*ACCEPT, *named], environment(doubtful), doubtful.workspace, lambda said: typed)
    assert (found, "other commands may have run" in said) == (status, True)
    assert doubtful.call(doubtful.stop()).verdict == verdict


def test_nobody_else_does(doubtful: Host) -> None:
    done = subprocess.run(ACCEPT, env=environment(doubtful), cwd=doubtful.workspace, capture_output=True, check=False)
    assert (done.returncode, b"nobody can be asked" in done.stderr) == (2, True)
    assert doubtful.call(doubtful.shell("policy accept")).refused


def test_where_nothing_is_in_doubt_nothing_is_asked(host: Host) -> None:
    host.write_policy(POLICY)
    host.warm()
    for payload in (host.shell("ls", tool_use_id="t1"), host.ran("ls", "t1")):
        host.call({**payload, "session_id": "s-2"})
    for named, status in ((["s-2"], 0), (["s-9"], 2)):
        done = subprocess.run(
            [*ACCEPT, *named], env=environment(host), cwd=host.workspace, capture_output=True, check=False
        )
        assert done.returncode == status, done.stderr

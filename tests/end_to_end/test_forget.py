"""A policy that is gone stays in force until a person at a terminal lets it go."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.end_to_end.host import POLICY, Host
from tests.end_to_end.terminal import at_terminal

ROOT = str(Path(__file__).resolve().parents[2])
FORGET = [sys.executable, "-P", "-m", "policy_engine", "forget"]


def environment(host: Host) -> dict[str, str]:
    return {**host.environment, "PYTHONPATH": ROOT}


@pytest.fixture
def gone(host: Host) -> Host:
    """A repository whose policy was deleted after it was in force."""
    host.write_policy(POLICY)
    host.warm()
    shutil.rmtree(host.policy.parent)
    said = host.call(host.shell("rm a"))
    assert said.verdict == "deny" and "there is no policy any more" in said.err
    return host


@pytest.mark.fault(56)
@pytest.mark.parametrize(("typed", "status", "verdict"), [("forget", 0, "allow"), ("yes", 1, "deny")])
def test_a_person_lets_a_policy_go(gone: Host, typed: str, status: int, verdict: str) -> None:
    found, said = at_terminal(FORGET, environment(gone), gone.workspace, lambda said: typed)
    assert (found, "main.policy" in said) == (status, True)
    assert gone.call(gone.shell("rm a")).verdict == verdict


@pytest.mark.requirement("R10")
def test_nobody_else_does(gone: Host) -> None:
    done = subprocess.run(FORGET, env=environment(gone), cwd=gone.workspace, capture_output=True, check=False)
    assert (done.returncode, b"nobody can be asked" in done.stderr) == (2, True)
    assert gone.call(gone.shell("policy forget")).refused

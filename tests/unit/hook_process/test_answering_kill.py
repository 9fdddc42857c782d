"""Before the last words everything that runs is ended, however long that takes to be known."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.house.sources import ROOT

PROGRAM = """
import os, sys, time
sys.path.insert(0, sys.argv[1])
from policy_engine.adapters.claude_code import ADAPTER
from policy_engine.hook_process.response_writer import ResponseWriter
answers = iter(eval(sys.argv[2]))
answering = ResponseWriter(ADAPTER, "PreToolUse")
def kill():
    os.write(2, b"killed\\n")
    answer = next(answers, True)
    if answer is None:
        raise OSError("no /proc")
    return answer
answering.kill = kill
answering.start()
answering.extend(50, "what `x` runs")
while True:
    time.sleep(0.001)
"""


@pytest.mark.requirement("R4")
@pytest.mark.parametrize(("answers", "times"), [("[True]", 1), ("[False, False, True]", 3), ("[None]", 1)])
def test_killing_is_tried_until_nothing_is_just_being_started(answers: str, times: int) -> None:
    done = subprocess.run(
        [sys.executable, "-I", "-c", PROGRAM, str(ROOT), answers], capture_output=True, timeout=60, check=False
    )
    assert done.stderr.count(b"killed\n") == times
    assert done.returncode == 2 and b"what `x` runs did not end in the time that the host waits" in done.stderr


@pytest.mark.requirement("R4")
def test_what_never_gets_a_number_is_not_waited_for() -> None:
    done = subprocess.run(
        [sys.executable, "-I", "-c", PROGRAM, str(ROOT), "[False] * 10_000"],
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2 and b"E-DEADLINE" in done.stderr

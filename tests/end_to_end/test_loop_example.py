"""`examples/loop.py`: a scripted model is sent back, refused, and accepted in the end."""

from __future__ import annotations

import subprocess
import sys

from tests.house.sources import ROOT


def test_the_example_runs_to_its_end() -> None:
    done = subprocess.run([sys.executable, str(ROOT / "examples/loop.py")], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    refused = [line.split()[0] for line in done.stdout.splitlines() if " deny " in line]
    assert refused == ["before_completion", "before_tool"]
    assert done.stdout.splitlines()[-1].startswith("The run ended: accepted.")

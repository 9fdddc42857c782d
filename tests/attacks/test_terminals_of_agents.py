"""An agent makes a terminal of its own and cleans its traces: while its session runs, that is no person's terminal."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from policy_engine.consent.person import start_of

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="only /proc tells who started whom")
ROOT = Path(__file__).resolve().parents[2]
ASK = "from policy_engine.consent.person import no_person; import sys; open(sys.argv[1], 'w').write(no_person() or '-')"


def _asked(tmp_path: Path, alone: bool) -> str:
    """What the check says below a pseudo terminal that this process made, `alone` if its parents are gone."""
    said = tmp_path / f"said-{len(list(tmp_path.iterdir()))}"
    clean = {"PATH": os.environ["PATH"], "XDG_STATE_HOME": str(tmp_path / "state"), "PYTHONPATH": str(ROOT)}
    code = (
        "import os, pty, sys\n"
        f"if {alone} and os.fork(): os._exit(0)\n"
        "os.setsid() if os.getpid() != os.getsid(0) else None\n"
        "pid, terminal = pty.fork()\n"
        f"if not pid: os.execve(sys.executable, [sys.executable, '-c', {ASK!r}, {str(said)!r}], {clean!r})\n"
        "os.waitpid(pid, 0)\n"
    )
    os.mkfifo(said)
    os.spawnve(os.P_NOWAIT, sys.executable, [sys.executable, "-c", code], clean)
    return said.read_text()  # waits for the process, which may have no parent that could


@pytest.mark.parametrize("alone", [False, True])
def test_a_terminal_that_an_agent_made_is_no_person_s(tmp_path: Path, alone: bool) -> None:
    folder = tmp_path / "state" / "policy-engine" / "origins"
    folder.mkdir(parents=True, mode=0o700)
    (folder / "session").write_text(f"{os.getpid()} {start_of(os.getpid())}")
    said = _asked(tmp_path, alone)
    assert "agent" in said
    (folder / "session").write_text("1 1")  # its host has ended: nothing tells any more
    assert "agent's session" not in _asked(tmp_path, alone) and "left alone" not in _asked(tmp_path, alone)

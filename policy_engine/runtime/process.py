"""An argv, an event and a time limit → exit status and output; no shell, a cleaned environment, the group killed."""

from __future__ import annotations

import os
import signal
import subprocess

from policy_engine.model.event import Event
from policy_engine.model.limits import HOOK_OUTPUT_BYTES
from policy_engine.model.strict_json import write_json

KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "USER", "LOGNAME", "SYSTEMROOT")


def run(argv: tuple[str, ...], event: Event, timeout_ms: int, cwd: str) -> tuple[int, bytes, str]:
    """(exit status, standard output, what went wrong or ""); the event's JSON stands on standard input.

    The child leads its own process group, which is killed at the time limit with everything it started.
    """
    environment = {name: os.environ[name] for name in KEPT if name in os.environ}
    try:
        child = subprocess.Popen(
            argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=cwd,
            env=environment,
            start_new_session=True,
        )
    except OSError as error:
        return -1, b"", f"could not start: {error.strerror}"
    try:
        output, _ = child.communicate(write_json(event.raw), timeout_ms / 1000)
    except subprocess.TimeoutExpired:
        return -1, b"", f"did not end within {timeout_ms} ms"
    finally:
        _kill_group(child.pid)
        child.wait()
    if child.returncode < 0:
        return child.returncode, b"", f"was killed by signal {-child.returncode}"
    return child.returncode, output[:HOOK_OUTPUT_BYTES], ""


def _kill_group(group: int) -> None:
    try:
        os.killpg(group, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return

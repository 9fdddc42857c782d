"""A command line → what it said at a terminal of its own, and how it ended.

It runs away from whoever runs the tests, in a session without that one's variables and parents: the tests may be run by
an agent. That an agent could do the same is the limit of asking for a person at all.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

SECONDS = 60
_AWAY = """
import fcntl, os, subprocess, sys, termios
terminal, report, started = map(int, sys.argv[1:4])
if os.fork():
    os._exit(0)
os.setsid()
while os.getppid() == started:
    pass
fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
for number in (0, 1, 2):
    os.dup2(terminal, number)
status = subprocess.run(sys.argv[4:], close_fds=True).returncode
os.write(report, b"%d" % status)
"""


def at_terminal(
    command: list[str], environment: dict[str, str], folder: Path, typed: Callable[[str], str] | None = None
) -> tuple[int, str]:
    """(exit status, what stood at the terminal). `typed` is given what is there when a question ends in `: `."""
    with started_at_terminal(command, environment, folder) as (terminal, report):
        said = _conversation(terminal, typed)
        return int(os.read(report, 16)), said


@contextmanager
def started_at_terminal(command: list[str], environment: dict[str, str], folder: Path) -> Iterator[tuple[int, int]]:
    """What reads the terminal of a process that has started, and what holds its exit status when it has ended.

    The terminal is closed at the end of the block, which ends what still runs there.
    """
    master, slave = os.openpty()
    read, write = os.pipe()
    script = f"import os, sys; sys.argv.insert(3, str(os.getpid()))\n{_AWAY}"
    arguments = [sys.executable, "-I", "-c", script, str(slave), str(write), *command]
    # the process of the tests plays the host and the person: the host has ended when the person types
    state = environment.get("XDG_STATE_HOME") or f"{environment.get('HOME', '/nowhere')}/.local/state"
    shutil.rmtree(Path(state) / "policy-engine" / "origins", ignore_errors=True)
    subprocess.run(arguments, pass_fds=(slave, write), env=environment, cwd=folder, check=True, timeout=SECONDS)
    os.close(slave)
    os.close(write)
    try:
        yield master, read
    finally:
        os.close(master)
        os.close(read)


def _conversation(master: int, typed: Callable[[str], str] | None) -> str:
    said = b""
    while True:
        try:
            part = os.read(master, 1 << 16)
        except OSError:  # the last process of the terminal is gone
            return said.decode("utf-8", "replace").replace("\r\n", "\n")
        said += part
        if typed is not None and said.endswith(b": "):
            os.write(master, f"{typed(said.decode('utf-8', 'replace'))}\n".encode())
            typed = None

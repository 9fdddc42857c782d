"""A host → a `policy serve` of its own as a process, and connections that say only as much as a test wants."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from policy_engine.hook_process.resident import STAMP, ask, stamp
from tests.end_to_end.host import HOOK, SECONDS, Host

assert len(stamp()) == STAMP


@contextmanager
def short(path: Path) -> Iterator[str]:
    """Another name of a socket, for one that is longer than a socket's name may be."""
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{folder}/{path.name}"
    finally:
        os.close(folder)


class Resident:
    """A running `policy serve`."""

    def __init__(self, host: Host, *arguments: str, script: Path | None = None) -> None:
        self.folder = host.state / "serve"
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(script or HOOK.with_name("serve.py")), *arguments],
            env=host.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self._ended: tuple[int, str] | None = None
        assert self.process.stdout is not None
        self.said = self.process.stdout.readline().decode()

    @property
    def socket(self) -> Path:
        return self.folder / "socket"

    def refusal(self) -> str:
        """Why it did not start."""
        assert (self.said, self.process.wait(SECONDS)) == ("", 2)
        return self.end()[1]

    def status(self) -> dict[str, Any]:
        found = ask(("status",), str(self.folder))
        assert isinstance(found, dict)
        return found

    def answered(self) -> int:
        """How many requests it has taken so far, earlier calls of this one among them."""
        found = self.status()
        return int(found["answered"] + found["running"])

    def idle(self) -> None:
        """Wait until nothing runs: the last answer may be out before its process is gone."""
        end = time.monotonic() + SECONDS
        while self.status()["running"]:
            assert time.monotonic() < end, "an event is still being decided"
            time.sleep(0.01)

    def connect(self) -> socket.socket:
        """A caller who has said nothing."""
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(SECONDS)
        with short(self.socket) as path:
            connection.connect(path)
        return connection

    def greet(self) -> socket.socket:
        """A caller who has shown the right stamp."""
        connection = self.connect()
        connection.sendall(stamp())
        return connection

    def end(self, number: int = signal.SIGTERM) -> tuple[int, str]:
        """Tell it to end if it has not; its exit status and what it said last."""
        if self._ended is None:
            if self.process.poll() is None:
                os.kill(self.process.pid, signal.SIGCONT)
                os.kill(self.process.pid, number)
            _, err = self.process.communicate(timeout=SECONDS)
            self._ended = self.process.returncode, err.decode()
        return self._ended


@contextmanager
def serving(host: Host, *arguments: str, script: Path | None = None) -> Iterator[Resident]:
    """A resident engine for the length of a block."""
    resident = Resident(host, *arguments, script=script)
    try:
        yield resident
    finally:
        resident.end()

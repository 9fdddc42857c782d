"""The process that waits for an event before there is one, and what it decides until then."""

from __future__ import annotations

import os
import posix
import socket
import threading
from pathlib import Path
from typing import Any

import pytest

from policy_engine.serving import rehearsal
from policy_engine.serving.spare import forked
from policy_engine.state.places import serve_folder
from tests.end_to_end.host import STATEFUL, Host


def test_it_is_given_no_event_before_it_is_ready() -> None:
    go_on, waits = os.pipe()
    ours, its = socket.socketpair()

    def prepare() -> None:
        os.read(go_on, 1)

    def answer(connection: socket.socket, status: dict[str, Any]) -> None:
        connection.sendall(status["text"].encode())

    spare = forked(prepare, answer)
    assert spare is not None
    try:
        assert not spare.is_ready()
        os.write(waits, b"x")
        ready = threading.Event()
        for _ in range(1_000):
            if spare.is_ready():
                break
            ready.wait(0.01)
        assert spare.is_ready() and spare.is_ready()  # asking changes nothing
        assert spare.hand_over(its, {"text": "done"})
        assert ours.recv(4) == b"done"
    finally:
        assert os.waitpid(spare.process, 0)[1] == 0
        for end in (ours, its):
            end.close()
        for descriptor in (go_on, waits):
            os.close(descriptor)


def test_what_it_decides_meanwhile_has_no_folder_listed_but_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where rules have the workspace listed and that is `/`, no event is answered for a second or more."""
    host = Host(tmp_path)
    host.write_policy(STATEFUL)
    host.warm()
    monkeypatch.setenv("HOME", str(host.home))
    for name in ("XDG_STATE_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    listed: list[str] = []

    def scandir(path: bytes) -> Any:
        listed.append(os.fsdecode(path).rstrip("/"))
        return real(path)

    real = posix.scandir
    monkeypatch.setattr(posix, "scandir", scandir)
    rehearsal.rehearse()
    assert listed and all(one.startswith(serve_folder()) for one in listed), listed

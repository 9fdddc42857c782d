"""Relay between a server's command and the client at our standard streams; return the server's exit status.

The server's standard error is ours. When the client goes the server is given time to end by itself; when the server
goes we go with its status.
"""

from __future__ import annotations

import signal
import subprocess
import threading
from collections.abc import Callable, Sequence
from types import FrameType
from typing import BinaryIO

from policy_engine.model.errors import ConfigurationError
from policy_engine.proxy.messages import Session, lines

GRACE = 5.0  # seconds that a server has after its input ended, and again after it was told to end


def relay(session: Session, command: Sequence[str], client_in: BinaryIO, client_out: BinaryIO) -> int:
    """Run the server until it ends; its exit status, 128 and its number if a signal ended it."""
    try:
        server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or str(problem)
        raise ConfigurationError(f"cannot start `{command[0]}`: {reason.lower()}") from None
    lock = threading.Lock()

    def end(number: int, frame: FrameType | None) -> None:
        server.send_signal(number)

    def say(data: bytes) -> None:
        with lock:
            client_out.write(data)
            client_out.flush()

    signal.signal(signal.SIGTERM, end)
    threading.Thread(target=_serve, args=(session, server, client_in, say), daemon=True).start()
    try:
        for line in lines(server.stdout):
            _, answer = session.from_server(line)
            if answer:
                say(answer)
    except (BrokenPipeError, ValueError):
        _end(server)  # the client is gone
    status = server.wait()
    session.guard.rule(session.run, "session_end")
    return status if status >= 0 else 128 - status


def _serve(
    session: Session, server: subprocess.Popen[bytes], client_in: BinaryIO, say: Callable[[bytes], None]
) -> None:
    """The client's lines to the server, until there are no more; then the server must end."""
    assert server.stdin is not None
    try:
        for line in lines(client_in):
            passed, answer = session.from_client(line)
            if answer:
                say(answer)
            if passed:
                server.stdin.write(passed)
                server.stdin.flush()
        server.stdin.close()
        server.wait(GRACE)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        pass
    finally:
        _end(server)  # without this thread nothing is judged any more


def _end(server: subprocess.Popen[bytes]) -> None:
    if server.poll() is None:
        server.terminate()
        try:
            server.wait(GRACE)
        except subprocess.TimeoutExpired:
            server.kill()

"""A process that waits for an event, forked before there is one: an event that comes alone need not wait for the fork.

It is given a connection, and what the resident process says of itself. If nothing comes it ends: the other end of its
channel is held by the resident process alone.
"""

from __future__ import annotations

import marshal
import os
import socket
from collections.abc import Callable
from typing import Any

Answer = Callable[[socket.socket, dict[str, Any]], None]
_SAID = 1 << 16  # bytes of what the resident process says of itself, at most


class Spare:
    """`process` waits, once `is_ready`; `hand_over` gives it its event."""

    def __init__(self, process: int, channel: socket.socket) -> None:
        self.process = process
        self._channel = channel

    def is_ready(self) -> bool:
        """Return whether it waits, which it tells by ending what it says: one that prepares would keep its event
        waiting."""
        try:
            return not self._channel.recv(1, socket.MSG_DONTWAIT)
        except OSError:
            return False

    def hand_over(self, connection: socket.socket, status: dict[str, Any]) -> bool:
        """Give it its event; false if it is gone."""
        try:
            socket.send_fds(self._channel, [marshal.dumps(status)], [connection.fileno()])
            return True
        except OSError:
            return False
        finally:
            self.close()

    def close(self) -> None:
        """Let it go: without an event it ends."""
        self._channel.close()


def forked(leave: Callable[[], None], answer: Answer) -> Spare | None:
    """A new one, None if there are no processes left.

    In it, `leave` lets go of what is the resident process's and prepares it for its event.
    """
    ours, its = socket.socketpair()
    try:
        process = os.fork()
    except OSError:
        ours.close()
        its.close()
        return None
    if process:
        its.close()
        return Spare(process, ours)
    status = 1
    try:
        ours.close()
        leave()
        its.shutdown(socket.SHUT_WR)
        message, given, _, _ = socket.recv_fds(its, _SAID, 1)
        its.close()
        if given:
            answer(socket.socket(fileno=given[0]), marshal.loads(message))
        status = 0
    finally:
        os._exit(status)  # nothing of the resident process's own work may go on here

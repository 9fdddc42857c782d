"""Bound what connections to the HTTP door may hold: their number, the time to send a request, the lines of the log.

Any user of the machine can connect to a port, and needs no token to stay. A connection that has not sent its request in
time is closed; where there are too many, the one that has been idle longest goes. What is logged is bounded too.
"""

from __future__ import annotations

import asyncio
import logging
import resource
import time
from typing import cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

MOST = 512  # connections; beside them the door needs few descriptors
BACKLOG = 128  # connections that are taken in one turn
DESCRIPTORS = 2_048  # asked of the system, which may give fewer
READ_SECONDS = 10.0  # for a whole request, from the connection or the answer before
KEEP_SECONDS = 5  # an idle connection is kept after an answer
HEADER_BYTES = 16_384
LINES, WINDOW = 20, 60.0  # lines of the log, and the seconds in which so many are written
_READING = (h11.IDLE, h11.SEND_BODY)


class Guarded(H11Protocol):
    """A connection that has a deadline while it sends, and may be closed while it is idle."""

    _open: dict[Guarded, None] = {}  # all connections of this process, the oldest first
    _most = MOST
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count it in; the oldest idle one goes where there are too many."""
        super().connection_made(transport)
        self._open[self] = None
        self._watch()
        if len(self._open) > self._most:
            oldest = next((one for one in self._open if one.is_idle), self)
            del self._open[oldest]
            oldest.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Count it out."""
        self._open.pop(self, None)
        self._stop()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on; what comes late, drop by drop, does not move the deadline."""
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """From here on the time of the next request runs."""
        super().on_response_complete()
        self._stop()
        self._watch()

    @property
    def is_idle(self) -> bool:
        """Return whether no answer is being made here."""
        cycle = cast("RequestResponseCycle | None", self.cycle)
        return cycle is None or cycle.response_complete

    def _watch(self) -> None:
        if self.conn.their_state not in _READING:
            self._stop()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(READ_SECONDS, self.transport.abort)

    def _stop(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


def provide() -> None:
    """Ask for descriptors, and take no more connections than half of what there is."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = DESCRIPTORS if hard == resource.RLIM_INFINITY else min(DESCRIPTORS, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    Guarded._most = MOST if soft == resource.RLIM_INFINITY else max(1, min(MOST, soft // 2))


class Bounded(logging.Filter):
    """At most LINES records in WINDOW seconds; then one that says how many were left out."""

    def __init__(self) -> None:
        super().__init__()
        self._began, self._count = 0.0, 0

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether the record is written."""
        now = time.monotonic()
        if now - self._began > WINDOW:
            left, self._began, self._count = self._count - LINES, now, 0
            if left > 0:
                record.msg, record.args = f"{record.getMessage()} ({left} lines before this one were left out)", ()
        self._count += 1
        return self._count <= LINES


class Brief(logging.Formatter):
    """One line for each record: of an exception what it is, not where it went through."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        text = " ".join(record.getMessage().split())
        fault = record.exc_info[1] if record.exc_info else None
        return f"policy serve: {text}" + (f" ({type(fault).__name__}: {fault})" if fault is not None else "")[:500]


def bound_log() -> None:
    """Send what the web libraries say to standard error, in bounds."""
    handler = logging.StreamHandler()
    handler.setFormatter(Brief())
    handler.addFilter(Bounded())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)

"""Answer connections, each in a process of its own, in the order they came, as many at once as SLOTS.

One thread, one `poll`, no library: what stands between the agent and its tools has few ways to fail. A caller who was
not told `y` has said nothing yet and decides in his own process; so a queue that is full, a caller of another version
or of another user, and a resident engine that is being stopped are all told `n`, or nothing. Whoever leaves before his
answer came has his process ended, and with it what it runs. Nothing here is decided.
"""

from __future__ import annotations

import gc
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections import deque
from typing import Any

from policy_engine import __version__
from policy_engine.hook_process.resident import NO, READY, STAMP, YES, peer, stamp
from policy_engine.serving.evaluation import SESSION, evaluate
from policy_engine.serving.place import Place
from policy_engine.serving.rehearsal import rehearse
from policy_engine.serving.spare import Spare, forked

SLOTS = 32  # processes at once; a stage of a pipeline holds one for as long as it runs
QUEUE = 96  # callers who wait for one
GRACE = 30.0  # seconds for what runs when the engine is stopped
LAST = 3.0  # seconds for their last words
LATELY = 1_800.0  # seconds; whose session had an event within them is told in the status
_LOOK = 1.0  # seconds between two looks at the engine's own files
_MOST = 4_096  # sessions that are remembered
_HANGS_UP = select.POLLRDHUP


class Daemon:
    """`run` listens until a signal ends it, or until the engine's own files are others than those it runs.

    `idle`: seconds without an event after which one that a hook started leaves; 0 is never.
    """

    def __init__(self, place: Place, slots: int = SLOTS, queue: int = QUEUE, idle: float = 0.0) -> None:
        self._place, self._slots, self._queue, self._idle = place, slots, queue, idle
        self._stamp, self._pid = stamp(), os.getpid()
        self._files = _files()
        self._looked = self._started = self._latest = time.monotonic()
        self._outdated = False
        self._door: subprocess.Popen[bytes] | None = None
        self._address = ""
        self._spare: Spare | None = None
        self._sessions: dict[bytes, float] = {}  # digest → when it had its latest event
        self._heard, self._tells = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        self._new: dict[int, tuple[socket.socket, float]] = {}  # descriptor → who has not shown his stamp, until when
        self._waiting: deque[tuple[socket.socket, float]] = deque()
        self._running: dict[int, socket.socket] = {}  # process → whom it answers
        self._poll = select.poll()
        self._patience = min(5_000, int(idle * 1000)) or 5_000  # ms between two looks at the clock
        self._ends = 0.0  # when it stops waiting for what runs; 0 while it takes new events
        self._told = 0  # the signals that said so
        self._harder = 0
        self._counts = {"answered": 0, "failed": 0, "declined": 0, "busy": 0}
        self._woken, self._wakes = socket.socketpair()
        self._woken.setblocking(False)
        self._wakes.setblocking(False)
        signal.set_wakeup_fd(self._wakes.fileno(), warn_on_full_buffer=False)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, self._hear_signal)
        signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
        self._poll.register(self._woken, select.POLLIN)
        self._poll.register(self._place.listener, select.POLLIN)
        self._poll.register(self._heard, select.POLLIN)
        gc.collect()
        gc.freeze()  # so that the processes share the pages

    def run(self) -> None:
        """Until it was told to end and all that ran has ended."""
        while not self._ends or self._running:
            self._turn()
        if self._door is not None:
            self._door.communicate()

    def watch(self, door: subprocess.Popen[bytes], address: str) -> None:
        """Say so if the HTTP door ends, and end it with this process."""
        self._door, self._address = door, address

    def status(self) -> dict[str, Any]:
        """Return what is going on, for people."""
        now = time.monotonic()
        return {
            "version": __version__,
            "pid": self._pid,
            "seconds": round(now - self._started, 1),
            "idle": self._idle,
            "http": self._address if self._door is not None else "",
            "sessions": sum(now - at < LATELY for at in self._sessions.values()),
            "running": len(self._running),
            "waiting": len(self._waiting),
            **self._counts,
        }

    def _turn(self) -> None:
        for descriptor, _ in self._poll.poll(200 if self._ends or self._new or self._waiting else self._patience):
            if descriptor == self._woken.fileno():
                self._drain()
            elif descriptor == self._heard:
                self._hear_sessions()
            elif descriptor == self._place.listener.fileno():
                if not self._changed():
                    self._accept()
            elif descriptor in self._new:
                self._hear(descriptor)
            else:
                self._left(descriptor)
        self._reap()
        self._expire()
        while self._waiting and len(self._running) < self._slots and not self._ends:
            self._start(self._waiting.popleft()[0])
        why = self._reason_to_end()
        if why and not self._ends:
            self._stop(why)
        if self._spare is None and not (self._running or self._waiting or self._ends):
            self._spare = forked(self._ready_for_event, self._answer)
        if self._ends and (self._told > 1 or time.monotonic() > self._ends):
            self._harden()

    def _reason_to_end(self) -> str:
        if self._told:
            return "told to end"
        if self._outdated:
            return "the engine's own files changed: start it again"
        if self._idle and not (self._running or self._waiting or self._new):
            if time.monotonic() - self._latest >= self._idle:
                return "no event came for a while"
            if not self._place.is_found():
                return "nobody finds the way here any more"
        return ""

    def _hear_signal(self, _number: int, _frame: object) -> None:
        self._told += 1

    def _stop(self, why: str) -> None:
        """No new events from now on."""
        self._ends = time.monotonic() + GRACE
        self._place.leave()
        self._poll.unregister(self._place.listener)
        self._place.listener.close()
        for connection, _ in (*self._new.values(), *self._waiting):
            self._refuse(connection, "declined")
        self._new.clear()
        self._waiting.clear()
        if self._spare is not None:
            self._spare.close()
        sys.stderr.write(f"policy serve: {why}; no new events, {len(self._running)} to be finished\n")

    def _harden(self) -> None:
        """Terminate what has not ended in time, the first time with a chance for last words."""
        for process in self._running:
            os.kill(process, signal.SIGKILL if self._harder else signal.SIGTERM)
        self._told, self._harder = 1, self._harder + 1
        self._ends = time.monotonic() + LAST

    def _drain(self) -> None:
        try:
            while self._woken.recv(4096):
                pass
        except BlockingIOError:
            return

    def _hear_sessions(self) -> None:
        message = os.read(self._heard, SESSION * 256)
        for start in range(0, len(message), SESSION):
            session = message[start : start + SESSION]
            self._sessions.pop(session, None)
            self._sessions[session] = time.monotonic()
        while len(self._sessions) > _MOST:
            del self._sessions[next(iter(self._sessions))]

    def _changed(self) -> bool:
        """Return whether this process is no longer what is installed; then it ends."""
        if time.monotonic() - self._looked > _LOOK:
            self._looked = time.monotonic()
            if _files() != self._files:
                self._outdated = True
        return self._outdated

    def _accept(self) -> None:
        try:
            connection, _ = self._place.listener.accept()
        except OSError:
            return
        connection.setblocking(False)
        if peer(connection) != os.geteuid():  # the folder keeps them out; this does not rely on it
            self._refuse(connection, "declined")
        elif len(self._new) + len(self._waiting) >= self._queue:
            self._refuse(connection, "busy")
        else:
            self._new[connection.fileno()] = connection, time.monotonic() + READY
            self._poll.register(connection, select.POLLIN)

    def _hear(self, descriptor: int) -> None:
        connection, until = self._new.pop(descriptor)
        self._poll.unregister(descriptor)
        try:
            shown = connection.recv(STAMP)
        except OSError:
            shown = b""
        if shown == self._stamp:
            self._waiting.append((connection, until))
        else:
            self._refuse(connection, "declined")

    def _refuse(self, connection: socket.socket, why: str) -> None:
        self._counts[why] += 1
        try:
            connection.send(NO)
        except OSError:
            pass
        connection.close()

    def _expire(self) -> None:
        """Refuse the connections that waited too long."""
        now = time.monotonic()
        for descriptor in [number for number, (_, until) in self._new.items() if until < now]:
            self._poll.unregister(descriptor)
            self._refuse(self._new.pop(descriptor)[0], "declined")
        while self._waiting and self._waiting[0][1] < now:
            self._refuse(self._waiting.popleft()[0], "busy")

    def _start(self, connection: socket.socket) -> None:
        try:
            gone = not connection.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            gone = False  # he is there, and waits to be told that he may speak
        except OSError:
            gone = True
        if gone:
            self._refuse(connection, "declined")
            return
        spare = self._spare if self._spare is not None and self._spare.is_ready() else None
        if spare is not None:
            self._spare = None
        else:
            spare = forked(self._leave, self._answer)
        if spare is None or not spare.hand_over(connection, self.status()):
            self._refuse(connection, "busy")  # no processes left, or somebody ended it
            return
        self._latest = time.monotonic()
        self._running[spare.process] = connection
        self._poll.register(connection, _HANGS_UP)

    def _leave(self) -> None:
        """In a new process: let go of what is the resident one's."""
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        gc.disable()
        for other in (*self._running.values(), *(each for each, _ in (*self._new.values(), *self._waiting))):
            other.close()
        if self._spare is not None:
            self._spare.close()
        self._place.listener.close()

    def _ready_for_event(self) -> None:
        """In a new process that waits."""
        self._leave()
        rehearse()

    def _answer(self, connection: socket.socket, status: dict[str, Any]) -> None:
        """In a new process: answer one event."""
        try:
            connection.setblocking(True)
            connection.send(YES)
            evaluate(connection, status, self._tells)
        except BaseException as fault:
            sys.stderr.write(f"policy serve: {type(fault).__name__}: {fault}\n")
            sys.stderr.flush()
            raise

    def _left(self, descriptor: int) -> None:
        """Nobody waits for this answer any more."""
        self._poll.unregister(descriptor)
        for process, connection in self._running.items():
            if connection.fileno() == descriptor:
                os.kill(process, signal.SIGTERM)

    def _reap(self) -> None:
        while self._running or self._door is not None or self._spare is not None:
            process, status = os.waitpid(-1, os.WNOHANG)
            if not process:
                return
            if self._door is not None and process == self._door.pid:
                sys.stderr.write("policy serve: the HTTP door ended; hooks are answered all the same\n")
                self._door.returncode, self._door = status, None
                continue
            if self._spare is not None and process == self._spare.process:
                self._spare.close()
                self._spare = None
                continue
            connection = self._running.pop(process, None)
            if connection is not None:
                self._counts["failed" if status else "answered"] += 1
                try:
                    self._poll.unregister(connection)
                except KeyError:
                    pass
                connection.close()


def _files() -> tuple[tuple[str, int, int], ...]:
    """Return what the files of the engine's loaded modules look like now."""
    stamps = []
    for name, module in sorted(sys.modules.items()):
        path = getattr(module, "__file__", None)
        if name.partition(".")[0] == "policy_engine" and path:
            try:
                status = os.stat(path)
                stamps.append((path, status.st_mtime_ns, status.st_ino))
            except OSError:
                stamps.append((path, 0, 0))
    return tuple(stamps)

"""Run an argv: no shell, output bounded, and nothing that it started outlives the answer.

For the commands of `hook … run` and the stages of `verify`. A process leads a session and a process group of its own.
When it ends, what is left of the group is killed; at the time limit or when somebody cancels, the group is asked
(SIGTERM), then killed, and so is whoever left the group and still holds the pipe. Output is read while it comes, head
and tail are kept, and a pipe that somebody inherited is never waited for. Not imported when a hook process starts.
"""

from __future__ import annotations

import errno
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO

from policy_engine.model.kept import Kept

EXITED, SIGNALLED, TIMED_OUT, CANCELLED, NOT_STARTED = "exited", "signalled", "timed_out", "cancelled", "not_started"
LOST = "lost"  # it ended, and somebody else (or nobody, with SIGCHLD ignored) was told how
GRACE_SECONDS = 2.0  # between SIGTERM and SIGKILL
SETTLE_SECONDS = 1.0  # for the pipes to close after SIGKILL
WATCH_SECONDS = 1.0  # between two calls of `watch`
_CHUNK = 65536
_DRAINED = 64  # chunks read after the end; no pipe holds more
_PAUSE = 0.05  # between two looks at the clock


@dataclass(frozen=True, slots=True)
class Task:
    """A program to run: `errors` says whether standard error is `dropped`, `merged` into the output or kept `apart`.

    `timeout` is in seconds, None for none. `cancelled` is asked often; `watch` is told the seconds and what came.
    """

    argv: Sequence[str]
    cwd: str
    environment: Mapping[str, str]
    given: bytes = b""
    timeout: float | None = None
    errors: str = "dropped"
    head: int = _CHUNK
    tail: int = _CHUNK
    grace: float = GRACE_SECONDS
    cancelled: Callable[[], bool] | None = None
    watch: Callable[[float, Kept], None] | None = None


@dataclass(frozen=True, slots=True)
class Ended:
    """`how` it ended; `status` is the exit status, the number of the signal or, if it never started, the errno."""

    how: str
    status: int
    seconds: float = 0.0
    output: Kept = field(default_factory=Kept)
    errors: Kept = field(default_factory=Kept)
    problem: str = ""


def kept_environment(names: Iterable[str]) -> dict[str, str]:
    """The named variables of this process, where they are set; a PATH has no relative or empty entry.

    A PATH of which nothing remains is left out: an empty one would name the folder that a program starts in.
    """
    kept = {name: os.environ[name] for name in names if name in os.environ}
    absolute = [part for part in kept.pop("PATH", "").split(os.pathsep) if os.path.isabs(part)]
    return {**kept, "PATH": os.pathsep.join(absolute)} if absolute else kept


def run_process(task: Task) -> Ended:
    """Run it to its end, whichever it is. Raises only what `watch` and `cancelled` raise, after killing the group."""
    _beginning.append(task)
    try:
        begun = _begin(task)
    finally:
        _beginning.remove(task)
    if isinstance(begun, Ended):
        return begun
    try:
        how = begun.until_it_ends()
        if how != EXITED:
            begun.ask_to_stop()
    finally:
        begun.sweep()
    return begun.ended(how)


def kill_running() -> bool:
    """Kill whatever runs here and all that it started; false while a program is just being started: ask again.

    For a process that leaves at once, from the handler of a signal.
    """
    for running in tuple(_under_way):
        running.kill()
    return not _beginning


_beginning: list[Task] = []  # being started, their numbers not known yet
_under_way: list[_Running] = []


def _begin(task: Task) -> _Running | Ended:
    started = time.monotonic()
    streams = {"dropped": subprocess.DEVNULL, "merged": subprocess.STDOUT, "apart": subprocess.PIPE}
    try:
        child = subprocess.Popen(
            list(task.argv),
            bufsize=0,
            stdin=subprocess.PIPE if task.given else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=streams[task.errors],
            cwd=task.cwd,
            env=dict(task.environment),
            start_new_session=True,
        )
    except OSError as error:
        if error.filename == task.cwd and task.argv[0] != task.cwd:
            return Ended(NOT_STARTED, errno.ENOTDIR, problem=f"could not start in `{task.cwd}`: {error.strerror}")
        return Ended(NOT_STARTED, error.errno or 0, problem=f"could not start: {error.strerror}")
    except (ValueError, IndexError) as error:
        return Ended(NOT_STARTED, errno.EINVAL, problem=f"could not start: {error}")
    running = _Running(task, child, started)
    _under_way.append(running)
    return running


class _Running:
    def __init__(self, task: Task, child: subprocess.Popen[bytes], started: float) -> None:
        self.task, self.child, self.started = task, child, started
        self.output, self.errors = Kept(task.head, task.tail), Kept(task.head, task.tail)
        self.given = memoryview(task.given)
        self.selector = selectors.DefaultSelector()
        self.looked = started
        self.code: int | None = None
        for pipe, event in (
            (child.stdout, selectors.EVENT_READ),
            (child.stderr, selectors.EVENT_READ),
            (child.stdin, selectors.EVENT_WRITE),
        ):
            if pipe is not None:
                os.set_blocking(pipe.fileno(), False)
                self.selector.register(pipe.fileno(), event, pipe)

    def until_it_ends(self) -> str:
        """Serve the pipes until the process ended, ran out of time or was cancelled."""
        pause = 0.001
        while not self._over():
            now = time.monotonic()
            if self.task.timeout is not None and now - self.started >= self.task.timeout:
                return TIMED_OUT
            if self.task.cancelled is not None and self.task.cancelled():
                return CANCELLED
            if self.task.watch is not None and now - self.looked >= WATCH_SECONDS:
                self.looked = now
                self.task.watch(now - self.started, self.output)
            pause = min(pause * 2, _PAUSE)
            self._serve(self._rest(now, pause))
        return EXITED

    def _rest(self, now: float, pause: float) -> float:
        if self.task.timeout is None:
            return pause
        return max(0.0, min(pause, self.started + self.task.timeout - now))

    def ask_to_stop(self) -> None:
        """SIGTERM to the group, then some time to write its last words."""
        _signal_group(self.child.pid, signal.SIGTERM)
        deadline = time.monotonic() + self.task.grace
        while not self._over() and time.monotonic() < deadline:
            self._serve(0.01)
        _signal_group(self.child.pid, signal.SIGKILL)
        deadline = time.monotonic() + SETTLE_SECONDS
        while self._reading() and time.monotonic() < deadline:
            if not self._serve(_PAUSE):
                _kill_holders(self._reading())

    def kill(self) -> None:
        """At once: the group, and whoever left it and holds the pipes."""
        _signal_group(self.child.pid, signal.SIGKILL)
        _kill_holders(self._reading())

    def sweep(self) -> None:
        """Kill what is left of the group, take what lies in the pipes, leave nothing open."""
        _signal_group(self.child.pid, signal.SIGKILL)
        _under_way.remove(self)
        for _ in range(_DRAINED):
            if not self._serve(0):
                break
        self.selector.close()
        for pipe in (self.child.stdin, self.child.stdout, self.child.stderr):
            if pipe is not None and not pipe.closed:
                pipe.close()
        try:
            self.child.wait(SETTLE_SECONDS)
        except subprocess.TimeoutExpired:
            return  # the kernel holds it; it is dead as soon as it is let go

    def ended(self, how: str) -> Ended:
        """Return what there is to say after the sweep."""
        seconds = time.monotonic() - self.started
        if how == EXITED and self.code is None:
            return Ended(LOST, -1, seconds, self.output, self.errors, "ended, and its exit status is not known")
        code = self.code or 0
        if how == EXITED and code < 0:
            return Ended(SIGNALLED, -code, seconds, self.output, self.errors)
        return Ended(how, code, seconds, self.output, self.errors)

    def _over(self) -> bool:
        """Return whether the process ended; it is not reaped yet, so that its group's number stays its own."""
        if not hasattr(os, "waitid"):
            self.code = self.child.poll()
            return self.code is not None
        try:
            info = os.waitid(os.P_PID, self.child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return True
        if info is not None:
            self.code = info.si_status if info.si_code == os.CLD_EXITED else -info.si_status
        return info is not None

    def _reading(self) -> list[int]:
        return [key.fd for key in self.selector.get_map().values() if key.data is not self.child.stdin]

    def _serve(self, pause: float) -> bool:
        """Read and write what is possible; whether anything was."""
        if not self.selector.get_map():
            time.sleep(pause)
            return False
        ready = self.selector.select(pause)
        for key, event in ready:
            pipe = key.data
            if event == selectors.EVENT_WRITE:
                self._feed(pipe)
                continue
            try:
                data = os.read(key.fd, _CHUNK)
            except BlockingIOError:
                continue
            if data:
                (self.output if pipe is self.child.stdout else self.errors).add(data)
            else:
                self._close(pipe)
        return bool(ready)

    def _feed(self, pipe: IO[bytes]) -> None:
        try:
            self.given = self.given[os.write(pipe.fileno(), self.given[:_CHUNK]) :]
        except BlockingIOError:
            return
        except OSError:
            self.given = self.given[:0]
        if not self.given:
            self._close(pipe)

    def _close(self, pipe: IO[bytes]) -> None:
        self.selector.unregister(pipe.fileno())
        pipe.close()


def _signal_group(group: int, number: int) -> None:
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):
        return


def _kill_holders(descriptors: list[int]) -> None:
    """Kill the processes of other sessions that hold these pipes; what only /proc can tell, where there is one."""
    pipes = {f"pipe:[{os.fstat(descriptor).st_ino}]" for descriptor in descriptors}
    try:
        processes = [int(name) for name in os.listdir("/proc") if name.isdigit()]
    except OSError:
        return
    for process in processes:
        try:
            links = {os.readlink(f"/proc/{process}/fd/{name}") for name in os.listdir(f"/proc/{process}/fd")}
            if links & pipes and os.getsid(process) != os.getsid(0):
                os.kill(process, signal.SIGKILL)
        except OSError:
            continue

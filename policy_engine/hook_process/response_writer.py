"""Write an `Answer` to standard output and standard error, exactly once, by a deadline and in spite of signals.

Hosts take a hook that their own timeout or a signal ended for consent (security R4). So a timer of the kernel runs from
before the payload is read: WARM_MS while the compiled policy is at hand, COMPILE_MS from when it must be compiled.
When it fires, or when SIGTERM, SIGINT or SIGHUP comes, the adapter's failure answer is written and the process leaves
with its status. Commands that the policy runs get the time that they declare, as far as the host waits for it, and are
killed before the last words. The handler runs between two byte codes, inside `_sre` and in interrupted system calls. A
system call that the kernel does not interrupt (a dead network file system) lets go of the interpreter, so a second
clock, a thread that sleeps until a little later, has the last words then. Imported by the hook path.
"""

from __future__ import annotations

import _thread
import posix
from time import monotonic, sleep

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as _signal
    from collections.abc import Callable
    from typing import Any

    from policy_engine.adapters.base import Adapter, Answer
else:
    import _signal  # without the enumerations of `signal`, which cost as much as a decision

WARM_MS = 3_000
COMPILE_MS = 30_000  # the host's own timeout, which `policy install` registers, is twice that
SHORTER = b"POLICY_DEADLINE_MS"  # a variable that can shorten both, never lengthen them
_AGAIN = 0.5  # seconds after which a process that hangs in its last words is ended without them
_LATER = 0.5  # seconds by which the thread gives way to the handler
_STACK = 1 << 17  # bytes; it does next to nothing, and the memory may be limited
_KILLING = 2.0  # the same while programs are killed
_SHORTLY = 0.02  # until a program that is just being started has a number
_TRIES = 50
_RESERVE_MS = 5_000  # between the longest deadline and the host's own timeout
_ENDING = (_signal.SIGTERM, _signal.SIGINT, _signal.SIGHUP)
_REFUSED = 2


class ResponseWriter:
    """The one answer of this process. `native` is the host's name of the event, "" as long as it is not known.

    `words` makes the answer to an event that could not be decided. Before the last words `kill` ends what runs for this
    event, and `unfinished` is called for what must not stay as if the event had been recorded; `failed` is called after
    them, to log why. `kill` gives false while it cannot know everything that runs, and is called again. `raw` is the
    canonical event once it is known. `patience` are ms that every clock gives to another process that decides.
    """

    __slots__ = (
        "_adapter", "_before", "_closed", "_late", "_number", "_out", "_said", "_shorter", "_started", "_tries",
        "_unknown", "_until", "failed", "kill", "native", "patience", "raw", "unfinished", "words",
    )  # fmt: skip

    def __init__(self, adapter: Adapter, native: str, unknown: Answer | None = None) -> None:
        self._adapter = adapter
        self.native = native
        self.raw: dict[str, Any] | None = None
        self.unfinished: Callable[[], None] = _nothing
        self.failed: Callable[[str, str], None] = _nothing
        self.words: Callable[[str, str], Answer] = lambda code, text: adapter.failure(self.native, code, text)
        self.patience = 0
        self._said = _thread.allocate_lock()  # taken by who answers
        self._until = 0.0
        self.kill: Callable[[], bool] | None = None
        self._late = "the engine did not answer in time"
        self._number = 0  # the signal that began the end
        self._tries = 0
        self._started = monotonic()
        self._before: list[tuple[int, Any]] = []
        self._closed = _plugged()
        self._out = 1
        self._shorter = _milliseconds(posix.environ.get(SHORTER, b""))
        # what a native event is refused with as long as nothing else can be made
        self._unknown = unknown or adapter.failure(native, "E-DEADLINE", self._late)

    def start(self) -> None:
        """Start the clock, and answer the signals that would end the process; blocked ones are let in.

        From here on standard output is this object's alone: what anything else writes there goes to standard error.
        """
        try:
            self._out = posix.dup(1)
            posix.dup2(2, 1)
        except OSError:  # no descriptor left
            self._out = 1
        for number in (_signal.SIGALRM, *_ENDING):
            before = _signal.getsignal(number)
            if number == _signal.SIGALRM or before is not _signal.SIG_IGN:  # `nohup` and `&` mean what they say
                self._before.append((number, before))
                _signal.signal(number, self._end)
        _signal.pthread_sigmask(_signal.SIG_UNBLOCK, (_signal.SIGALRM, *_ENDING))
        self._within(WARM_MS)
        try:
            _thread.stack_size(_STACK)
            _thread.start_new_thread(self._outlast, ())
        except (RuntimeError, ValueError):  # no room for a thread: the handler is left
            return

    def named(self, native: str) -> None:
        """From now on the host's name of the event is known."""
        self.native = native

    def compiling(self) -> None:
        """From now on the time that a policy may take to be compiled."""
        self._within(COMPILE_MS)

    def elapsed_ms(self) -> int:
        """Return the ms since this process took up the event."""
        return int((monotonic() - self._started) * 1000)

    def extend(self, limit: int, doing: str) -> None:
        """From now on so many ms for what is being done, as far as the host waits; `doing` names it."""
        past = self.elapsed_ms()
        waits = self._adapter.registration.seconds(self.native) * 1000 - _RESERVE_MS
        self._late = f"{doing} did not end in the time that the host waits"
        self._within(max(min(limit, waits - past), 1))

    def _within(self, limit: int) -> None:
        seconds = (min(limit, self._shorter or limit) + self.patience) / 1000
        self._until = monotonic() + seconds + _LATER
        _signal.setitimer(_signal.ITIMER_REAL, seconds, _AGAIN)

    def _outlast(self) -> None:
        """In a thread: answer if the deadline has passed and the handler could not run."""
        _signal.pthread_sigmask(_signal.SIG_BLOCK, (_signal.SIGALRM, *_ENDING))  # they are for the handler
        while (left := self._until - monotonic()) > 0:
            sleep(left)
        if self._said.locked():
            sleep(2 * _AGAIN)  # somebody is answering
        if self._until:
            _thread.start_new_thread(_leave, ())
            while not self._killed():
                sleep(_SHORTLY)
            self._end(_signal.SIGALRM, None)

    def say(self, answer: Answer) -> int:
        """Write both channels; the exit status. If standard output cannot take its part, the status refuses alone."""
        if not self._said.acquire(blocking=False):
            while True:  # the deadline came first: who answers leaves, and this process with it
                sleep(1)
        return self._write(answer)

    def stop(self) -> None:
        """Stop the clocks, give the signals and the output back, for a process that goes on after its answer."""
        if self._out != 1:
            posix.dup2(self._out, 1)
            posix.close(self._out)
            self._out = 1
        self._until = 0.0
        _signal.setitimer(_signal.ITIMER_REAL, 0)
        for number, before in self._before:
            _signal.signal(number, before)

    def _end(self, number: int, _frame: object) -> None:
        self._number = self._number or number
        if not self._said.locked() and not self._killed():
            _signal.setitimer(_signal.ITIMER_REAL, _SHORTLY, _AGAIN)
            return
        if not self._said.acquire(blocking=False):
            if number == _signal.SIGALRM:  # nobody reads what is being written
                posix._exit(_REFUSED)
            return  # the answer is out or on its way, and nothing else is left to do
        _signal.setitimer(_signal.ITIMER_REAL, _AGAIN, _AGAIN)
        status = _REFUSED
        code, text = "E-DEADLINE", self._late
        if self._number != _signal.SIGALRM:
            code, text = "E-SIGNAL", f"the engine was told to end (signal {self._number}) before it had decided"
        try:
            self.unfinished()
            status = self._write(self._last_words(code, text))
            self.failed(code, text)  # the host has its answer; what takes too long here ends with the next alarm
        finally:
            posix._exit(status)

    def _killed(self) -> bool:
        """Return whether nothing of this event runs any more, or waiting for that has been too long."""
        if self.kill is None:
            return True
        self._tries += 1
        self._until = monotonic() + _KILLING + _LATER
        _signal.setitimer(_signal.ITIMER_REAL, _KILLING, _AGAIN)
        try:
            return self.kill() or self._tries > _TRIES
        except Exception:
            return True

    def _write(self, answer: Answer) -> int:
        if answer.stderr:
            write(2, answer.stderr)
        if answer.stdout and (1 in self._closed or not write(self._out, answer.stdout)):
            write(2, b"policy: standard output cannot be written; the action is refused\n")
            return _REFUSED
        return answer.exit_code

    def _last_words(self, code: str, text: str) -> Answer:
        try:
            return self.words(code, text)
        except Exception:
            return self._unknown


def _leave() -> None:
    """Write, but do not wait for a host that takes nothing."""
    sleep(4 * _AGAIN)
    posix._exit(_REFUSED)


def write(descriptor: int, data: bytes) -> bool:
    """Write all of it; whether that worked."""
    try:
        while data:
            data = data[posix.write(descriptor, data) :]
    except OSError:
        return False
    return True


def _plugged() -> list[int]:
    """The standard streams that are closed, now open on nothing: else a file opened later would be taken for one."""
    closed = []
    for number in (0, 1, 2):
        try:
            posix.fstat(number)
        except OSError:
            closed.append(number)
            posix.open("/dev/null", posix.O_RDWR)
    return closed


def _milliseconds(text: bytes) -> int:
    """A whole number of milliseconds, 0 for anything else."""
    return int(text) if text.isdigit() and len(text) < 10 else 0


def _nothing(*_reason: str) -> None:
    """Nothing was begun."""

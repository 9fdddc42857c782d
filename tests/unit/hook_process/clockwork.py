"""Signals, timer, threads and clock of a process, standing still: a test turns them by hand."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from policy_engine.hook_process import response_writer


class Left(BaseException):
    """The process would have ended with this status."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class Clockwork:
    """In the place of `_signal`, `_thread`, `monotonic` and `sleep` of answering.py.

    `timers` are all that were set, in seconds: until it rings, and from then on between two. `begun` are the threads
    that were started and did not run. `meanwhile` is called at every sleep, after the time has passed.
    """

    SIG_DFL, SIG_IGN = signal.SIG_DFL, signal.SIG_IGN
    SIG_BLOCK, SIG_UNBLOCK, ITIMER_REAL = signal.SIG_BLOCK, signal.SIG_UNBLOCK, signal.ITIMER_REAL
    SIGALRM, SIGTERM, SIGINT, SIGHUP = signal.SIGALRM, signal.SIGTERM, signal.SIGINT, signal.SIGHUP

    def __init__(self) -> None:
        self.now = 1000.0
        self.handlers: dict[int, Any] = dict.fromkeys((self.SIGALRM, self.SIGTERM, self.SIGINT, self.SIGHUP), "old")
        self.blocked: set[int] = set()
        self.timers: list[tuple[float, float]] = []
        self.slept: list[float] = []
        self.begun: list[tuple[Callable[..., None], tuple[Any, ...]]] = []
        self.stacks: list[int] = []
        self.meanwhile: Callable[[], None] = lambda: None

    def getsignal(self, number: int) -> Any:
        return self.handlers[number]

    def signal(self, number: int, handler: Any) -> None:
        self.handlers[number] = handler

    def setitimer(self, which: int, seconds: float, interval: float = 0.0) -> None:
        assert which == self.ITIMER_REAL
        self.timers.append((round(seconds, 6), interval))

    def pthread_sigmask(self, how: int, numbers: Iterable[int]) -> None:
        self.blocked = self.blocked | set(numbers) if how == self.SIG_BLOCK else self.blocked - set(numbers)

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(round(seconds, 6))
        self.now += seconds
        self.meanwhile()

    def stack_size(self, size: int) -> None:
        self.stacks.append(size)

    def start_new_thread(self, function: Callable[..., None], arguments: tuple[Any, ...]) -> None:
        self.begun.append((function, arguments))

    def ring(self, number: int) -> int | None:
        """Deliver a signal to its handler; the status with which the process ends, None if it goes on."""
        try:
            self.handlers[number](number, None)
        except Left as left:
            return left.status
        return None

    def run_thread(self) -> int | None:
        """Run the thread that was started first, in this one; as `ring`."""
        function, arguments = self.begun[0]
        try:
            function(*arguments)
        except Left as left:
            return left.status
        return None


def clockwork(monkeypatch: pytest.MonkeyPatch) -> Clockwork:
    """A `Clockwork` that answering.py uses from now on."""

    def leave(status: int) -> None:
        raise Left(status)

    made = Clockwork()
    monkeypatch.setattr(response_writer, "_signal", made)
    monkeypatch.setattr(response_writer, "monotonic", made.monotonic)
    monkeypatch.setattr(response_writer, "sleep", made.sleep)
    monkeypatch.setattr("_thread.start_new_thread", made.start_new_thread)
    monkeypatch.setattr("_thread.stack_size", made.stack_size)
    monkeypatch.setattr("posix._exit", leave)
    return made

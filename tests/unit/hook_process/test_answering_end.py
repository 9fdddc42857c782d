"""The deadline and the signals: last words once, in the host's terms, whatever hangs or fails on the way."""

from __future__ import annotations

import signal
from collections.abc import Callable

import pytest

from policy_engine.adapters.base import Answer
from policy_engine.hook_process.response_writer import ResponseWriter
from tests.unit.hook_process.clockwork import Clockwork
from tests.unit.hook_process.plain import plain

LATE = "Before|E-DEADLINE|the engine did not answer in time\n"
TOLD = "Before|E-SIGNAL|the engine was told to end (signal {}) before it had decided\n"
ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def test_the_alarm_and_what_would_end_the_process_are_let_in_and_given_back(
    clock: Clockwork, start: Callable[..., ResponseWriter]
) -> None:
    before = dict(clock.handlers)
    clock.blocked = {signal.SIGALRM, signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1}
    found = start()
    assert all(clock.handlers[number] != "old" for number in (signal.SIGALRM, *ENDING))
    assert (clock.blocked, clock.timers) == ({signal.SIGUSR1}, [(3.0, 0.5)])
    assert (clock.stacks, [given for _, given in clock.begun]) == ([1 << 17], [()])
    found.stop()
    assert (clock.handlers, clock.timers[1:]) == (before, [(0, 0)])


def test_a_signal_that_was_ignored_stays_ignored_but_for_the_alarm(
    clock: Clockwork, start: Callable[..., ResponseWriter]
) -> None:
    clock.handlers = dict.fromkeys(clock.handlers, signal.SIG_IGN)
    found = start()
    kept = [number for number, handler in clock.handlers.items() if handler is signal.SIG_IGN]
    assert kept == list(ENDING)
    found.stop()
    assert set(clock.handlers.values()) == {signal.SIG_IGN}


@pytest.mark.parametrize("fault", [RuntimeError, ValueError])
def test_without_room_for_a_thread_the_timer_is_left(
    clock: Clockwork, start: Callable[..., ResponseWriter], monkeypatch: pytest.MonkeyPatch, fault: type[Exception]
) -> None:
    def full(*_given: object) -> None:
        raise fault

    monkeypatch.setattr("_thread.stack_size" if fault is ValueError else "_thread.start_new_thread", full)
    start()
    assert (clock.timers, clock.begun) == ([(3.0, 0.5)], [])
    assert clock.ring(signal.SIGALRM) == 2


@pytest.mark.parametrize(
    ("native", "limit", "past", "seconds"),
    [
        ("Before", 10_000, 0.0, 10.0),
        ("Before", 55_000, 0.0, 55.0),
        ("Before", 55_001, 0.0, 55.0),  # the host waits 60 s, and 5 are kept in reserve
        ("Before", 100_000, 20.0, 35.0),
        ("Before", 10_000, 20.0, 10.0),
        ("Before", 10_000, 54.999, 0.001),
        ("Before", 10_000, 70.0, 0.001),
        ("Before", 0, 0.0, 0.001),
        ("Stop", 700_000, 0.0, 595.0),
    ],
)
def test_more_time_is_given_as_far_as_the_host_waits(
    clock: Clockwork, start: Callable[..., ResponseWriter], native: str, limit: int, past: float, seconds: float
) -> None:
    found = start(native=native)
    clock.now += past
    found.extend(limit, "what `x` runs")
    assert clock.timers[1:] == [(seconds, 0.5)]


def test_the_last_words_name_what_took_too_long(
    clock: Clockwork, start: Callable[..., ResponseWriter], capfd: pytest.CaptureFixture[str]
) -> None:
    found = start()
    found.extend(50, "what `x` runs")
    found.named("After")
    assert clock.ring(signal.SIGALRM) == 2
    said = "After|E-DEADLINE|what `x` runs did not end in the time that the host waits\n"
    assert capfd.readouterr() == ("", said)


@pytest.mark.requirement("R4")
def test_the_end_is_told_in_its_order(
    clock: Clockwork, start: Callable[..., ResponseWriter], capfd: pytest.CaptureFixture[str]
) -> None:
    steps: list[object] = []
    adapter = plain(failure=lambda native, code, text: Answer(b"out\n", b"err\n", 7))
    found = start(adapter)

    def kill() -> bool:
        steps.append(("kill", clock.timers[-1]))
        return True

    found.kill = kill
    found.unfinished = lambda: steps.append(("unfinished", clock.timers[-1], capfd.readouterr()))
    found.failed = lambda code, text: steps.append((code, text, capfd.readouterr()))
    assert clock.ring(signal.SIGALRM) == 7
    assert steps == [
        ("kill", (2.0, 0.5)),
        ("unfinished", (0.5, 0.5), ("", "")),
        ("E-DEADLINE", "the engine did not answer in time", ("out\n", "err\n")),
    ]


@pytest.mark.requirement("R4")
@pytest.mark.parametrize("number", ENDING)
def test_a_signal_is_named_in_the_last_words(
    clock: Clockwork, start: Callable[..., ResponseWriter], capfd: pytest.CaptureFixture[str], number: int
) -> None:
    start()
    assert (clock.ring(number), capfd.readouterr().err) == (2, TOLD.format(int(number)))


def test_what_is_just_being_started_is_waited_for_and_the_first_reason_stays(
    clock: Clockwork, start: Callable[..., ResponseWriter], capfd: pytest.CaptureFixture[str]
) -> None:
    found = start()
    answers = iter([False, False, True])
    found.kill = lambda: next(answers)
    assert [clock.ring(number) for number in (signal.SIGTERM, signal.SIGALRM)] == [None, None]
    assert clock.timers[1:] == [(2.0, 0.5), (0.02, 0.5)] * 2
    assert capfd.readouterr() == ("", "")
    assert (clock.ring(signal.SIGALRM), capfd.readouterr().err) == (2, TOLD.format(15))


def test_what_never_gets_a_number_is_not_waited_for_and_a_fault_ends_the_waiting(
    clock: Clockwork, start: Callable[..., ResponseWriter]
) -> None:
    found = start()
    found.kill = lambda: False
    assert [clock.ring(signal.SIGALRM) for _ in range(51)] == [None] * 50 + [2]

    def gone() -> bool:
        raise OSError("no /proc")

    found = start()
    found.kill = gone
    assert clock.ring(signal.SIGALRM) == 2


@pytest.mark.parametrize(("number", "status"), [(signal.SIGALRM, 2), *((number, None) for number in ENDING)])
def test_once_the_answer_is_on_its_way_only_the_alarm_ends_it(
    clock: Clockwork, start: Callable[..., ResponseWriter], capfd: pytest.CaptureFixture[str], number: int, status: int
) -> None:
    found = start()
    found.kill = lambda: False  # not asked any more
    assert found.say(Answer(b"yes\n")) == 0
    assert (clock.ring(number), capfd.readouterr()) == (status, ("yes\n", ""))


def test_an_adapter_that_fails_at_the_end_is_spoken_for_by_what_it_said_at_the_start(
    clock: Clockwork, start: Callable[..., ResponseWriter], capfd: pytest.CaptureFixture[str]
) -> None:
    def failure(native: str, code: str, text: str) -> Answer:
        if native != "Before":
            raise RuntimeError("broken")
        return Answer(b"", f"{native}|{code}|{text}\n".encode(), 2)

    start(plain(failure=failure)).named("After")
    assert (clock.ring(signal.SIGTERM), capfd.readouterr().err) == (2, LATE)


def test_faults_in_the_last_words_do_not_keep_the_process(
    clock: Clockwork, start: Callable[..., ResponseWriter]
) -> None:
    def broken(*_given: object) -> None:
        raise RuntimeError("broken")

    adapter = plain(failure=lambda native, code, text: Answer(exit_code=1))
    found = start(adapter)
    found.unfinished = broken
    assert clock.ring(signal.SIGALRM) == 2  # nothing was said: the status refuses alone
    found = start(adapter)
    found.failed = broken
    assert clock.ring(signal.SIGALRM) == 1


@pytest.mark.requirement("R4")
def test_the_second_clock_answers_where_the_handler_cannot_run(
    clock: Clockwork, start: Callable[..., ResponseWriter], capfd: pytest.CaptureFixture[str]
) -> None:
    found = start()
    answers = iter([False, False, True, True])
    found.kill = lambda: next(answers)
    clock.now += 1
    assert (clock.run_thread(), capfd.readouterr()) == (2, ("", LATE))
    assert clock.blocked == {signal.SIGALRM, *ENDING}  # they are for the handler
    assert clock.slept == [2.5, 0.02, 0.02]
    begun = clock.begun[1]
    clock.slept, clock.begun = [], [begun]
    assert (clock.run_thread(), clock.slept) == (2, [2.0])  # whoever hangs meanwhile is not waited for


def test_the_second_clock_gives_way_to_more_time_and_to_the_end(
    clock: Clockwork, start: Callable[..., ResponseWriter]
) -> None:
    found = start()

    def meanwhile() -> None:
        if len(clock.slept) == 1:
            found.compiling()
        else:
            found.stop()

    clock.meanwhile = meanwhile
    assert (clock.run_thread(), clock.slept, len(clock.begun)) == (None, [3.5, 30.5], 1)


def test_the_second_clock_leaves_time_to_end_what_runs(clock: Clockwork, start: Callable[..., ResponseWriter]) -> None:
    found = start()

    def kill() -> bool:
        clock.now += 1
        found.kill = None  # in the thread there is nothing left to end
        assert clock.run_thread() == 2
        return True

    found.kill = kill
    assert (clock.ring(signal.SIGALRM), clock.slept) == (2, [1.5])


@pytest.mark.parametrize(("stops", "status"), [(True, None), (False, 2)])
def test_the_second_clock_waits_a_second_for_who_is_answering(
    clock: Clockwork, start: Callable[..., ResponseWriter], stops: bool, status: int | None
) -> None:
    found = start()
    found.say(Answer())

    def meanwhile() -> None:
        if stops and len(clock.slept) == 2:
            found.stop()

    clock.meanwhile = meanwhile
    assert (clock.run_thread(), clock.slept) == (status, [3.5, 1.0])

"""One answer on both channels: what is written, by whom, and that nothing else gets between."""

from __future__ import annotations

import os
import posix
from collections.abc import Callable
from typing import Any

import pytest

from policy_engine.adapters.base import Answer
from policy_engine.hook_process import response_writer
from policy_engine.hook_process.response_writer import ResponseWriter
from tests.unit.hook_process.clockwork import Clockwork, Left
from tests.unit.hook_process.plain import plain

LOST = "policy: standard output cannot be written; the action is refused\n"


def raising(error: BaseException) -> Callable[..., Any]:
    """A function that only raises."""

    def fail(*_given: object) -> Any:
        raise error

    return fail


def test_what_is_not_known_yet_is_empty(clock: Clockwork) -> None:
    found = ResponseWriter(plain(), "Before")
    assert (found.native, found.raw, found.kill) == ("Before", None, None)
    assert (found.unfinished(), found.failed("code", "text")) == (None, None)  # nothing was begun
    found.named("After")
    assert found.native == "After"


@pytest.mark.parametrize(
    ("answer", "out", "err"),
    [
        (Answer(b"yes\n", b"why\n", 2), "yes\n", "why\n"),
        (Answer(b"yes\n", b"", 0), "yes\n", ""),
        (Answer(b"", b"why\n", 1), "", "why\n"),
        (Answer(), "", ""),
    ],
)
def test_both_channels_and_the_status_are_the_answers(
    start: Callable[..., ResponseWriter], capfd: pytest.CaptureFixture[str], answer: Answer, out: str, err: str
) -> None:
    started = start()
    assert started.say(answer) == answer.exit_code
    started.stop()
    assert capfd.readouterr() == (out, err)


@pytest.mark.requirement("R3")
def test_standard_output_is_the_answers_alone_until_the_end(
    start: Callable[..., ResponseWriter], capfd: pytest.CaptureFixture[str]
) -> None:
    started = start()
    os.write(1, b"noise\n")
    assert started.say(Answer(b"yes\n")) == 0
    os.write(1, b"more noise\n")
    started.stop()
    os.write(1, b"later\n")
    assert capfd.readouterr() == ("yes\nlater\n", "noise\nmore noise\n")


def test_no_descriptor_is_left_open(clock: Clockwork) -> None:
    before = os.listdir("/proc/self/fd")
    found = ResponseWriter(plain(), "Before")
    found.start()
    found.stop()
    found.stop()  # twice does no harm
    assert os.listdir("/proc/self/fd") == before


@pytest.mark.parametrize("call", ["dup", "dup2"])
def test_without_a_descriptor_to_spare_the_answer_goes_out_all_the_same(
    clock: Clockwork, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    found = ResponseWriter(plain(), "Before")
    kept = getattr(posix, call)
    monkeypatch.setattr(posix, "dup", lambda _descriptor: 1)  # nothing to close afterwards
    monkeypatch.setattr(posix, call, raising(OSError(24, "Too many open files")))
    found.start()
    assert (found.say(Answer(b"yes\n", b"why\n", 2)), clock.timers) == (2, [(3.0, 0.5)])
    monkeypatch.setattr(posix, call, kept)
    found.stop()
    assert capfd.readouterr() == ("yes\n", "why\n")


def closed(monkeypatch: pytest.MonkeyPatch, *numbers: int) -> list[tuple[Any, ...]]:
    """As if these standard streams were closed; what is opened in their place."""
    opened: list[tuple[Any, ...]] = []
    status = posix.fstat

    def fstat(descriptor: int) -> Any:
        if descriptor in numbers:
            raise OSError(9, "Bad file descriptor")
        return status(descriptor)

    monkeypatch.setattr(posix, "fstat", fstat)
    monkeypatch.setattr(posix, "open", lambda *given: opened.append(given))
    return opened


@pytest.mark.parametrize(
    ("numbers", "answer", "status", "out", "err"),
    [
        ((1,), Answer(b"yes\n", b"", 0), 2, "", LOST),
        ((1,), Answer(b"yes\n", b"why\n", 2), 2, "", f"why\n{LOST}"),
        ((1,), Answer(b"", b"why\n", 1), 1, "", "why\n"),
        ((0, 2), Answer(b"yes\n", b"", 0), 0, "yes\n", ""),
        ((), Answer(b"yes\n", b"", 0), 0, "yes\n", ""),
    ],
)
def test_a_closed_standard_stream_is_opened_on_nothing_and_never_written(
    clock: Clockwork,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    numbers: tuple[int, ...],
    answer: Answer,
    status: int,
    out: str,
    err: str,
) -> None:
    with monkeypatch.context() as patch:
        opened = closed(patch, *numbers)
        found = ResponseWriter(plain(), "Before")
    assert opened == [("/dev/null", posix.O_RDWR)] * len(numbers)
    assert (found.say(answer), capfd.readouterr()) == (status, (out, err))


def test_an_answer_that_cannot_be_written_refuses_by_its_status(
    start: Callable[..., ResponseWriter], capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    started, written = start(), posix.write

    def write(descriptor: int, data: bytes) -> int:
        if descriptor == 2:
            return written(2, data)
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(posix, "write", write)
        assert started.say(Answer(b"yes\n", b"why\n", 0)) == 2
    started.stop()
    assert capfd.readouterr() == ("", f"why\n{LOST}")


def test_all_of_it_is_written_however_little_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[tuple[int, bytes]] = []

    def write(descriptor: int, data: bytes) -> int:
        said.append((descriptor, data[:3]))
        return len(data[:3])

    monkeypatch.setattr(posix, "write", write)
    assert response_writer.write(7, b"abcdefgh") is True
    assert said == [(7, b"abc"), (7, b"def"), (7, b"gh")]
    assert (response_writer.write(7, b""), len(said)) == (True, 3)
    monkeypatch.setattr(posix, "write", raising(OSError(32, "Broken pipe")))
    assert response_writer.write(7, b"abc") is False


def test_who_comes_second_says_nothing_and_waits_for_the_end(
    start: Callable[..., ResponseWriter], clock: Clockwork, capfd: pytest.CaptureFixture[str]
) -> None:
    started = start()

    def enough() -> None:
        if len(clock.slept) == 3:
            raise Left(7)

    clock.meanwhile = enough
    assert started.say(Answer(b"yes\n")) == 0
    with pytest.raises(Left):
        started.say(Answer(b"no\n", b"no\n", 2))
    assert clock.slept == [1.0, 1.0, 1.0]
    started.stop()
    assert capfd.readouterr() == ("yes\n", "")


@pytest.mark.parametrize(
    ("text", "milliseconds"),
    [(b"", 0), (b"0", 0), (b"1", 1), (b"250", 250), (b"123456789", 123456789), (b"1234567890", 0), (b"-5", 0),
     (b"1.5", 0), (b" 5", 0), (b"ms", 0)],
)  # fmt: skip
def test_only_a_whole_number_of_milliseconds_shortens_the_deadline(
    clock: Clockwork, monkeypatch: pytest.MonkeyPatch, text: bytes, milliseconds: int
) -> None:
    monkeypatch.setitem(posix.environ, b"POLICY_DEADLINE_MS", text)
    found = ResponseWriter(plain(), "Before")
    found.start()
    found.compiling()
    found.stop()
    shorter = milliseconds or 1 << 30
    assert clock.timers == [(min(3_000, shorter) / 1000, 0.5), (min(30_000, shorter) / 1000, 0.5), (0, 0)]

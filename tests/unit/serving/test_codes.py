"""Codes of the terminal: each is used once, wrong tries make them void, and none is kept where it was not shown."""

from __future__ import annotations

import os
import re
import select
from collections.abc import Iterator

import pytest

from policy_engine.serving.codes import TRIES, VOIDS, Codes, told


class Terminal:
    """What stands there; `codes` are the codes."""

    def __init__(self) -> None:
        self._read, self.write = os.pipe2(os.O_NONBLOCK)
        self.text = ""

    @property
    def codes(self) -> list[str]:
        try:
            self.text += os.read(self._read, 1 << 16).decode()
        except BlockingIOError:
            pass
        return re.findall(r"page: ([a-z2-9-]+)\n", self.text)

    def close(self) -> None:
        for handle in (self._read, self.write):
            try:
                os.close(handle)
            except OSError:
                continue


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    made = Terminal()
    yield made
    made.close()


@pytest.fixture
def codes(terminal: Terminal) -> Codes:
    made = Codes(terminal.write)
    made.show()
    return made


def test_a_code_is_taken_once_however_it_is_written(codes: Codes, terminal: Terminal) -> None:
    [code] = terminal.codes
    assert codes.are_shown and len(code) == 14
    assert codes.takes(f" {code.upper().replace('-', ' ')} ")
    assert not codes.takes(code) and not codes.are_shown
    codes.show()
    assert not codes.takes(code) and codes.takes(terminal.codes[-1])


def test_nothing_of_a_code_is_kept_but_a_digest(codes: Codes, terminal: Terminal) -> None:
    [code] = terminal.codes
    assert all(part not in repr(vars(codes)) for part in (code, code.replace("-", "")))


@pytest.mark.parametrize("typed", ["", "-", "é", "\0", "a" * 100_000])
def test_no_other_text_is_a_code(codes: Codes, typed: str) -> None:
    assert not codes.takes(typed) and codes.are_shown


def test_wrong_tries_make_codes_void_until_there_are_none(codes: Codes, terminal: Terminal) -> None:
    for number in range(1, VOIDS + 1):
        assert len(terminal.codes) == number
        for _ in range(TRIES):
            assert codes.are_shown and not codes.takes("wrong")
    assert len(set(terminal.codes)) == VOIDS and "until a new start" in terminal.text
    assert not codes.are_shown and not any(codes.takes(code) for code in ("", *terminal.codes))


def test_a_code_that_became_void_is_a_wrong_one(codes: Codes, terminal: Terminal) -> None:
    for _ in range(TRIES):
        codes.takes("wrong")
    first, second = terminal.codes
    assert not codes.takes(first) and codes.takes(second)


def test_without_a_terminal_there_is_no_code(terminal: Terminal) -> None:
    none, gone, full = Codes(), Codes(terminal.write), Codes(terminal.write)
    while select.select([], [terminal.write], [], 0)[1]:
        os.write(terminal.write, b"x" * 4096)
    full.show()
    os.close(terminal.write)
    gone.show()
    none.show()
    assert not (none.are_shown or full.are_shown or gone.are_shown or none.takes(""))


def test_what_an_agent_wrote_obeys_no_terminal() -> None:
    assert "\x1b" not in told("approved", "git push\x1b[2J\n: abcd") and told("approved", "a\nb").count("\n") == 1

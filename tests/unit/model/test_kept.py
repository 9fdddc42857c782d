"""Bytes as they come → head and tail, counted."""

from __future__ import annotations

import pytest

from policy_engine.model.kept import Kept


def kept(head: int, tail: int, *parts: bytes) -> Kept:
    made = Kept(head, tail)
    for part in parts:
        made.add(part)
    return made


@pytest.mark.parametrize("parts", [(b"abc", b"def"), (b"abcdef",), (b"a", b"b", b"cde", b"", b"f")])
def test_what_fits_is_kept_whole(parts: tuple[bytes, ...]) -> None:
    made = kept(3, 3, *parts)
    assert (made.data(), made.size, made.left_out) == (b"abcdef", 6, 0)


@pytest.mark.parametrize("parts", [(b"abcdefghij",), (b"ab", b"cdefgh", b"i", b"j")])
def test_the_middle_is_left_out_and_counted(parts: tuple[bytes, ...]) -> None:
    made = kept(3, 2, *parts)
    assert (made.data(), made.size, made.left_out) == (b"abc\n[5 bytes left out]\nij", 10, 5)


def test_a_tail_of_nothing_keeps_the_head() -> None:
    made = kept(4, 0, b"abc", b"def")
    assert (made.data()[:4], made.left_out) == (b"abcd", 2)


def test_memory_is_bounded_by_head_and_tail() -> None:
    made = kept(10, 10, *[b"x" * 1000] * 1000)
    assert len(made.data()) < 100
    assert made.left_out == 999_980


@pytest.mark.parametrize(
    ("data", "line"),
    [(b"", b""), (b"\n\n", b""), (b"one\ntwo\n", b"two"), (b"one\ntwo", b"two"), (b"one\n \n", b"one")],
)
def test_the_last_line_has_something_in_it(data: bytes, line: bytes) -> None:
    assert kept(2, 100, data).last_line() == line

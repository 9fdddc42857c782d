"""Terminal output → plain lines."""

from __future__ import annotations

import pytest

from policy_engine.model.limits import VERIFY_HEAD_BYTES, VERIFY_LINE_CHARS, VERIFY_LINES, VERIFY_TAIL_BYTES
from policy_engine.verification.output import Output, plain


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b[1;38;5;196mred\x1b[K", "red"),
        ("\x1b(B\x1b[mplain", "plain"),
        ("\x1b]0;title\x07text", "text"),
        ("\x1b]8;;https://example.org\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1b]unfinished", "unfinished"),
        ("one\r\ntwo\rthree", "one\ntwo\nthree"),
        ("a\x00b\x08c\x7fd\x85e", "abcde"),
        ("tab\tand ✖", "tab\tand ✖"),
        ("\x1b", ""),
    ],
)
def test_escapes_and_controls_are_left_out(text: str, expected: str) -> None:
    assert plain(text) == expected


def test_text_lines_and_their_number_are_bounded() -> None:
    most = VERIFY_HEAD_BYTES + VERIFY_TAIL_BYTES
    assert len(plain("x" * (most * 2))) == most + 1
    assert len(Output("y" * 10_000).lines[0]) == VERIFY_LINE_CHARS
    numbered = Output("\n".join(map(str, range(100_000)))).lines
    assert (len(numbered), numbered[0], numbered[-1]) == (VERIFY_LINES, "0", "99999")

"""What the recorded outputs of ruff do not show: words of older versions."""

from __future__ import annotations

import pytest

from policy_engine.verification.readers.ruff import READER


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Would reformat: src/a b.py\n1 file would be reformatted", ("lint", "src/a b.py", None)),
        ("bad.py:1:7: E999 SyntaxError: Expected an expression", ("syntax", "bad.py", 1)),
        ("a.py:3:1: PLR0911 Too many return statements (7 > 6)", ("lint", "a.py", 3)),
    ],
)
def test_older_words_are_known(text: str, expected: tuple[object, ...]) -> None:
    (found,) = READER.read(text)
    assert (found.error_class, found.file, found.line) == expected


def test_a_green_run_has_no_failure() -> None:
    assert READER.read("All checks passed!") == []

"""What most tools have in common."""

from __future__ import annotations

import pytest

from policy_engine.verification.readers.generic import READER


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("zsh: command not found: odd", ("missing_command", None, None)),
        ('exec: "odd": executable file not found in $PATH', ("missing_command", None, None)),
        ("env: odd: No such file or directory", ("missing_command", None, None)),
        ("FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory", ("crash", None, None)),
        ("make: *** [Makefile:3: test] Segmentation fault (core dumped)", ("crash", None, None)),
        ("SwiftLint.swift:3:5: error: Line too long (line_length)", ("unknown", "SwiftLint.swift", 3)),
        ("a.sh:3:5: note: quote this", ("unknown", None, None)),
        ("::error file=src/a.js,line=3,col=7::odd", ("unknown", "src/a.js", 3)),
        ("Makefile:4: *** missing separator.  Stop.", ("configuration", "Makefile", 4)),
        ("first\nerror: the cause\nlast words", ("unknown", None, None)),
    ],
)
def test_a_line_has_its_class_and_place(text: str, expected: tuple[object, ...]) -> None:
    (found,) = READER.read(text)
    assert (found.error_class, found.file, found.line) == expected


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        ("first\nerror: the cause\nlast words", "error: the cause"),
        ("first\nlast words\n\n", "last words"),
        ("ok 1 - a\nnot ok 2 - b # TODO later\nnot ok 3 - c", "c"),
    ],
)
def test_the_summary_is_the_line_that_says_most(text: str, summary: str) -> None:
    assert [one.summary for one in READER.read(text)] == [summary]


def test_nothing_is_no_failure() -> None:
    assert READER.read("\n \n") == []

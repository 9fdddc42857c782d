"""What the recorded outputs of cargo do not show: words of older versions, doctests, formatting, dependencies."""

from __future__ import annotations

import pytest

from policy_engine.verification.readers.cargo import READER

OLD_PANIC = """\
---- tests::adds stdout ----
thread 'tests::adds' panicked at 'it's, well, odd', src/lib.rs:16:9
note: run with `RUST_BACKTRACE=1`
"""
DOCTEST = """\
---- src/lib.rs - documented (line 5) stdout ----
Test executable failed (exit status: 101).

stderr:
thread 'main' (12) panicked at /home/dev/tmp/doc.rs:3:1:
assertion failed
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (OLD_PANIC, ("test_failure", "src/lib.rs", 16, "tests::adds: it's, well, odd")),
        (DOCTEST, ("test_failure", "src/lib.rs", 5, "src/lib.rs - documented (line 5): assertion failed")),
        ("Diff in /w/src/lib.rs:3:\n-a\n+b", ("lint", "/w/src/lib.rs", 3, "file would be reformatted")),
        ("Diff in src/lib.rs at line 3:\n-a\n+b", ("lint", "src/lib.rs", 3, "file would be reformatted")),
        (
            "error: no matching package named `odd` found",
            ("import_error", None, None, "no matching package named `odd` found"),
        ),
        ("test tests::a ... FAILED", ("test_failure", None, None, "tests::a failed")),
        ("error: linking with `cc` failed", ("compile_error", None, None, "linking with `cc` failed")),
    ],
)
def test_a_complaint_has_its_class_and_place(text: str, expected: tuple[object, ...]) -> None:
    (found,) = READER.read(text)
    assert (found.error_class, found.file, found.line, found.summary) == expected

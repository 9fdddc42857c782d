"""Bytes as the output of a check → bounded failures, whoever's output it is taken for."""

from __future__ import annotations

from policy_engine.model.limits import VERIFY_EXCERPT_CHARS, VERIFY_FAILURES, VERIFY_SUMMARY_CHARS
from policy_engine.verification.output import plain
from policy_engine.verification.reading import failures_of

ARGV = (["pytest", "-q"], ["mypy", "src"], ["cargo", "test"], ["npx", "jest"], ["go", "test", "./..."], ["make"])
SEEDS = (
    b"FAILED tests/test_a.py::test_b - AssertionError: x\n1 failed in 0.1s\n",
    b"a.py:1: error: Bad  [misc]\nFound 1 error",
    b"--- FAIL: TestX (0.00s)\n    x_test.go:3: no\nFAIL\n",
    b"error[E0308]: mismatched\n --> src/a.rs:1:2\n",
    b'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\nValueError: x\n',
    b"\x1b[31mno\x1b[0m\r\r\n",
    b"src/a.ts(1,2): error TS1: x\n",
    b"a.c:1:2: error: x\n",
    b"[ERROR] /a/B.java:[1,2] x\n",
    b"\xe2\x9c\x95 a (3 ms)\n",
)


def target(data: bytes) -> None:
    text = plain(data.decode("utf-8", "replace"))
    argv = ARGV[len(data) % len(ARGV)]
    found = failures_of(text, argv, "/workspace")
    assert len(found) <= VERIFY_FAILURES
    for failure in found:
        assert len(failure.summary) <= VERIFY_SUMMARY_CHARS + 1 and len(failure.excerpt) <= VERIFY_EXCERPT_CHARS + 1
        assert failure.line is None or failure.line >= 0

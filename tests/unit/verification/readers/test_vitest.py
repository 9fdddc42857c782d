"""What the recorded outputs of vitest do not show."""

from __future__ import annotations

from policy_engine.verification.readers.vitest import READER

UNHANDLED = """\
⎯⎯⎯⎯⎯⎯ Unhandled Errors ⎯⎯⎯⎯⎯⎯

Vitest caught 1 unhandled error during the test run.

⎯⎯⎯⎯ Unhandled Rejection ⎯⎯⎯⎯⎯
Error: late
 ❯ src/late.ts:3:9
⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯
"""
ALIKE = """\
 FAIL  |web| a.test.ts > one
 FAIL  |web| a.test.ts > two
Error: same
 ❯ Object.<anonymous> src/a.ts:7:11
⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯[1/2]⎯
"""


def test_an_error_outside_of_tests_is_a_failure() -> None:
    (found,) = READER.read(UNHANDLED)
    assert (found.file, found.line, found.summary) == ("src/late.ts", 3, "Unhandled Rejection: Error: late")


def test_tests_that_failed_alike_share_an_error() -> None:
    found = READER.read(ALIKE)
    assert [(one.summary, one.file, one.line) for one in found] == [
        ("one: Error: same", "src/a.ts", 7),
        ("two: Error: same", "src/a.ts", 7),
    ]

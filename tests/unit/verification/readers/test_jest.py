"""What the recorded outputs of jest do not show."""

from __future__ import annotations

from policy_engine.verification.readers.jest import READER

REPEATED = """\
FAIL src/a.test.js (5.2 s)
  ● adds

    TypeError: odd

      at add (src/a.js:3:9)
      at Object.<anonymous> (src/a.test.js:4:3)

  ● Console

    console.log
      hello

Summary of all failing tests
FAIL src/a.test.js
  ● adds

    TypeError: odd

      at add (src/a.js:3:9)
      at Object.<anonymous> (src/a.test.js:4:3)

Test Suites: 1 failed, 1 total
"""


def test_the_summary_repeats_nothing_and_the_console_is_no_failure() -> None:
    (found,) = READER.read(REPEATED)
    assert (found.file, found.line, found.summary) == ("src/a.js", 3, "adds: TypeError: odd")


def test_a_coverage_threshold_is_a_failure() -> None:
    (found,) = READER.read('Jest: "global" coverage threshold for lines (80%) not met: 12%')
    assert found.error_class == "test_failure"

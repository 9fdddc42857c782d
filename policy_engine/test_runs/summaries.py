"""Count the tests that passed and failed, from the summary that a tool prints itself.

A table: for each reader the patterns of passes (group 1 is a number, or each match is one), the patterns of failures
(a number that is not 0, or the match itself), and a line that a failing run shows, for filters that choose lines. Each
pattern begins at a line's start and looks at one line, so that any output is read in linear time. Not on the hook path:
it is imported when a line ran tests.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_READ = 60_000  # last characters of an output
_ANSI = re.compile(r"\x1b\[[0-9;?]{0,30}[A-Za-z]")
_COUNTED = r"(?:\d+ (?:passed|failed|errors?|skipped|deselected|xfailed|xpassed|warnings?|rerun|subtests passed),? ?)*"
_MAVEN = r"^(?:\[\w+\] )?\s*(?:Tests run|Total tests): ?"


class Summary(NamedTuple):
    """The form of one tool's summaries."""

    passed: tuple[re.Pattern[str], ...]
    failed: tuple[re.Pattern[str], ...]
    failing_line: str
    none: tuple[re.Pattern[str], ...] = ()  # the tool spoke, and says that there was nothing
    skipped: tuple[re.Pattern[str], ...] = ()  # how many of the passed ones did not run
    needs: tuple[re.Pattern[str], ...] = ()  # without such a line nothing passed


class Counts(NamedTuple):
    """The counts of a summary: how many passed, whether any failed, and which readers said so."""

    passed: int
    failed: bool
    readers: tuple[str, ...]


def _patterns(*texts: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(text, re.MULTILINE) for text in texts)


TASKS_DONE = "gradle-tasks"
"""The reader that counts tasks in the place of tests: gradle says no more of a run that passed."""

SUMMARIES: dict[str, Summary] = {
    "pytest": Summary(
        _patterns(rf"^(?:=+ )?{_COUNTED}?(\d+) passed,? ?{_COUNTED}in [\d.]+s(?: \([\d:]+\))?(?: =+)?\s*$"),
        _patterns(
            rf"^(?:=+ )?{_COUNTED}?(\d+) failed,? ?{_COUNTED}in [\d.]+s",
            rf"^(?:=+ )?{_COUNTED}?(\d+) errors?,? ?{_COUNTED}in [\d.]+s",
            r"^(?:FAILED|ERROR) \S+\.py", r"^!+ .{1,80} !+$", r"^INTERNALERROR>",
        ),
        "1 failed in 0.10s",
        _patterns(r"^(?:=+ )?no tests ran in",
                  r"^(?:=+ )?(?:\d+ (?:skipped|deselected|warnings?|xfailed),? ?)+in [\d.]+s"),
    ),
    "unittest": Summary(
        _patterns(r"^Ran (\d+) tests? in [\d.]+s$"), _patterns(r"^FAILED \(", r"^(?:ERROR|FAIL): "),
        "FAILED (failures=1)", _patterns(r"^NO TESTS RAN"), _patterns(r"^OK \(.{0,80}?skipped=(\d+)"),
    ),
    "behave": Summary(_patterns(r"^(\d+) scenarios? passed"), _patterns(r"^\d+ scenarios? passed, (\d+) failed"),
                      "1 scenario passed, 1 failed"),
    "jest": Summary(
        _patterns(r"^Tests: +(?:\d+ \w+, )*?(\d+) passed, (?:\d+ \w+, )*?\d+ total",
            r"^Tests: +(\d+) passed, \d+ total"),
        _patterns(r"^(?:Tests|Test Suites): +(\d+) failed", r"^FAIL \S"),
        "Tests:       1 failed, 1 total",
        _patterns(r"^Tests: +0 total", r"^No tests found"),
    ),
    "vitest": Summary(
        _patterns(r"^ *Tests  (?:\d+ \w+ \| )*?(\d+) passed"),
        _patterns(r"^ *(?:Tests|Test Files)  (\d+) failed", r"^ *Errors  (\d+) error", r"^ *FAIL  ?\S"),
        "      Tests  1 failed (1)",
        _patterns(r"^No test files found"),
    ),
    "mocha": Summary(_patterns(r"^ *(\d+) passing \("), _patterns(r"^ *(\d+) failing"), "  1 failing"),
    "ava": Summary(_patterns(r"^ *(\d+) tests? passed"), _patterns(r"^ *(\d+) (?:tests? failed|uncaught|unhandled)"),
                   "1 test failed"),
    "node": Summary(_patterns(r"^[ℹ#] pass (\d+)"), _patterns(r"^[ℹ#] (?:fail|cancelled) (\d+)"),
                    "ℹ fail 1", _patterns(r"^[ℹ#] tests 0$")),
    "tap": Summary(_patterns(r"^ok \d+(?!.{0,300}# ?(?i:skip|todo))", r"^# pass +(\d+)"),
                   _patterns(r"^not ok \d", r"^# fail +(\d+)",
        r"^Bail out!"),
                   "not ok 1", _patterns(r"^ok \d+.{0,300}# ?(?i:skip|todo)")),
    "playwright": Summary(_patterns(r"^ +(\d+) passed \("), _patterns(r"^ +(\d+) (?:failed|interrupted|did not run)$"),
                          "  1 failed"),
    "cypress": Summary(_patterns(r"^ *│ Passing: +(\d+)"), _patterns(r"^ *│ Failing: +(\d+)"), "│ Failing: 1"),
    "karma": Summary(_patterns(r"^(?:TOTAL: |.{0,80}Executed )(\d+)(?: SUCCESS| of \d+ SUCCESS)"),
                     _patterns(r"^.{0,80}\((\d+) FAILED"), "Executed 1 of 1 (1 FAILED)"),
    "bun": Summary(_patterns(r"^ *(\d+) pass$"), _patterns(r"^ *(\d+) fail$", r"^ *(\d+) errors?$"), " 1 fail"),
    "deno": Summary(_patterns(r"^ok \| (\d+) passed"), _patterns(r"^FAILED \|", r"^error: "), "FAILED | 0 passed | "
        "1 failed"),
    "go": Summary(
        _patterns(r"^ok\s+\S+\s+(?:\(cached\)|[\d.]+s)(?!.{0,200}\[no tests to run\])",
                  r'^\{.{0,200}"Action":"pass".{0,200}"Test":'),
        _patterns(r"^(?:FAIL|--- FAIL|panic:)", r'^\{.{0,200}"Action":"fail"', r"^\S+ \[build failed\]"), "FAIL\tx",
        _patterns(r"^\?\s+\S", r"^ok\s.{0,300}\[no tests to run\]$"),
    ),
    "gotestsum": Summary(_patterns(r"^DONE (\d+) tests?"),
        _patterns(r"^DONE \d+ tests?,.{0,40}?(\d+) (?:failure|error)s?"),
                         "DONE 1 tests, 1 failure in 1s",
                         skipped=_patterns(r"^DONE \d+ tests?, (\d+) skipped")),
    "ginkgo": Summary(_patterns(r"^(?:SUCCESS|Passed)! -- (\d+) Passed"), _patterns(r"^FAIL! --"), "FAIL! -- 1"),
    "bazel": Summary(_patterns(r"^Executed \d+ out of \d+ tests?: (\d+) tests? pass"),
                     _patterns(r"^Executed .{0,80}?(\d+) fails? "), "Executed 1 out of 1 test: 1 fails locally."),
    "cargo": Summary(_patterns(r"^test result: ok\. (\d+) passed; 0 failed"),
                     _patterns(r"^test result: FAILED", r"^error: (?:test failed|could not compile|\d+ target)"),
                     "test result: FAILED. 0 passed; 1 failed"),
    "nextest": Summary(_patterns(r"^ *Summary \[.{1,20}\] \d+ tests? run: (\d+) passed"),
                       _patterns(r"^ *Summary \[.{1,20}\] .{0,80}?(\d+) (?:failed|timed out|exec failed)",
                           r"^error: "),
                       "Summary [ 1.0s] 1 tests run: 0 passed, 1 failed"),
    "maven": Summary(_patterns(_MAVEN + r"(\d+), Failures: 0, Errors: 0"),
                     _patterns(_MAVEN + r"\d+, Failures: (\d+)", _MAVEN + r"\d+, Failures: \d+, Errors: (\d+)",
                               r"^(?:\[\w+\] )?BUILD FAIL", r"^FAILURE: "), "[ERROR] Tests run: 1, Failures: 1, "
                                   "Errors: 0",
                     skipped=_patterns(_MAVEN + r"\d+, Failures: 0, Errors: 0, Skipped: (\d+)")),
    "gradle": Summary(_patterns(r"^(\d+) tests completed$", r"^\S.{0,200} > .{1,200} PASSED$"),
                      _patterns(r"^\d+ tests? completed, (\d+) failed", r"^BUILD FAILED", r"^FAILURE: "),
                      "1 test completed, 1 failed"),
    TASKS_DONE: Summary(_patterns(r"^> Task (?::[\w.-]{1,80}){0,8}:test$"),
                        _patterns(r"^> Task \S{1,200} FAILED$", r"^BUILD FAILED", r"^FAILURE: "),
                        "> Task :test FAILED", needs=_patterns(r"^BUILD SUCCESSFUL in ")),
    "sbt": Summary(_patterns(r"^\[info\] .{0,40}(?:succeeded|Passed: Total) (\d+)"),
                   _patterns(r"^\[info\] Tests: .{0,40}failed (\d+)", r"^\[error\] "), "[error] x"),
    "dotnet": Summary(_patterns(r"^Passed! +- Failed: +0, Passed: +(\d+)", r"^ +Passed: (\d+)$",
                                r"^Test summary: total: \d+, failed: 0, succeeded: (\d+)"),
                      _patterns(r"^Failed! +-", r"^ +Failed: (\d+)$", r"^Test summary: total: \d+, failed: (\d+)"),
                      "Failed!  - Failed: 1"),
    "rspec": Summary(_patterns(r"^(\d+) examples?, 0 failures(?!, \d+ errors? occurred)"),
                     _patterns(r"^\d+ examples?, (\d+) failures?",
                         r"^\d+ examples?, \d+ failures?, (\d+) errors? occurred"),
                     "1 example, 1 failure",
                     skipped=_patterns(r"^\d+ examples?, 0 failures, (\d+) pending")),
    "minitest": Summary(_patterns(r"^(\d+) (?:runs|tests), \d+ assertions, 0 failures, 0 errors"),
                        _patterns(r"^\d+ (?:runs|tests), \d+ assertions, (\d+) failures",
                                  r"^\d+ (?:runs|tests), \d+ assertions, \d+ failures, (\d+) errors"),
                        "1 runs, 1 assertions, 1 failures, 0 errors",
                        skipped=_patterns(r"^\d+ (?:runs|tests), \d+ assertions, 0 failures, 0 errors, (\d+) skips")),
    "phpunit": Summary(_patterns(r"^OK \((\d+) tests?"), _patterns(r"^(?:FAILURES|ERRORS)!", r"^Tests: \d+, .{0,80}"
                       r"(?:Failures|Errors): (\d+)", r"^No tests executed"), "Tests: 1, Assertions: 1, Failures: 1."),
    "pest": Summary(_patterns(r"^ *Tests: +(?:\d+ \w+, )*?(\d+) passed"), _patterns(r"^ *Tests: +(\d+) failed"),
                    "  Tests:    1 failed"),
    "ctest": Summary(_patterns(r"^100% tests passed, 0 tests failed out of (\d+)"),
                     _patterns(r"^\d+% tests passed, (\d+) tests failed", r"^No tests were found"),
                     "0% tests passed, 1 tests failed out of 1"),
    "meson": Summary(_patterns(r"^Ok: +(\d+)"), _patterns(r"^(?:Fail|Timeout|Unexpected Pass): +(\d+)"), "Fail: 1"),
    "swift": Summary(_patterns(r"^\s*Executed (\d+) tests?, with (?:\d+ tests? skipped and )?0 failures",
                               r"^.{0,3} ?Test run with (\d+) tests?.{0,30} passed"),
                     _patterns(r"^\s*Executed \d+ tests?, with (?:\d+ tests? skipped and )?(\d+) failures?",
                               r"^.{0,3} ?Test run with .{0,60} failed", r"^error: "), "Executed 1 test, with 1 "
                                   "failure"),
    "dart": Summary(_patterns(r"^.{0,20}\+(\d+)(?: ~\d+)?: All tests passed!"),
                    _patterns(r"^.{0,20}: Some tests failed", r"^.{0,20}\+\d+(?: ~\d+)? -(\d+):"), "00:01 +0 -1: "
                        "Some tests failed."),
    "counts": Summary(_patterns(r"^(?:\d+ (?:doctests?|properties|property), )*(\d+) tests?, 0 failures"),
                      _patterns(r"^(?:\d+ \w+, )*\d+ tests?, (\d+) failures?"), "1 test, 1 failure",
                      skipped=_patterns(r"^(?:\d+ \w+, )*\d+ tests?, 0 failures.{0,40}?, (\d+) skipped")),
    "zig": Summary(
        _patterns(r"^Build Summary: \d+/\d+ steps succeeded; (\d+)/\d+ tests passed", r"^All (\d+) tests passed\.$"),
        _patterns(r"^Build Summary: .{0,80} failed", r"^error: ", r"^\d+ passed; \d+ skipped; (\d+) failed"),
        "Build Summary: 1/3 steps succeeded; 1 failed",
    ),
    "cabal": Summary(
        _patterns(r"^\d+ of \d+ test suites \((\d+) of \d+ test cases\) passed", r"^All (\d+) tests passed \("),
        _patterns(r"^Test suite .{1,200}: FAIL$", r"^Error: ", r"^(\d+) out of \d+ tests failed"),
        "Test suite spec: FAIL",
    ),
    "busted": Summary(_patterns(r"^(\d+) successes? / 0 failures? / 0 errors?"),
                      _patterns(r"^\d+ successes? / (\d+) failures?"), "0 successes / 1 failure / 0 errors"),
    "prove": Summary(_patterns(r"^Files=\d+, Tests=(\d+)"), _patterns(r"^Result: FAIL", r"^Result: NOTESTS"),
                     "Result: FAIL"),
}  # fmt: skip
_BROKEN = _patterns(
    r"^npm (?:ERR!|error) ", r"^ ?ELIFECYCLE ", r"^ERR_PNPM_", r"^make(?:\[\d+\])?: \*\*\* ", r"^error: script ",
    r"^error Command failed", r"^ ?Failed: {4}\S", r"^task: Failed to run", r"^error: Recipe ",
)  # fmt: skip
"""What task runners say when what they ran failed."""


CLOSING = frozenset(
    (
        "pytest unittest jest vitest mocha go cargo nextest rspec minitest phpunit pest dart deno bun node ctest"
        " playwright dotnet counts prove"
    ).split()
)
"""Readers of tools that always end with a summary, unless an option asks for another report."""
_ANY_CLOSING = re.compile(
    r"\b\d+ (?:tests?|passed|passing|pass|examples?|scenarios?|specs?|assertions?|ok|total)\b|^ok\b|\[100%\]|"
    r"^(?:OK|BUILD SUCCESS|no test files)|\[no test",
    re.IGNORECASE | re.MULTILINE,
)
_SILENT_FILE = re.compile(
    r"^(?:# Subtest: (\S.{0,400}\.[cm]?[jt]sx?)\nok \d+ - \1$"
    r"|[✔✓] (?:\S.{0,400}/)?[\w.-]{1,200}\.[cm]?[jt]sx? \([\d.]+ms\)$)",
    re.MULTILINE,
)
_CUT = re.compile(
    r"truncated|omitted|too large|\d+ (?:more )?(?:lines|characters|chars|tokens)\b|persisted", re.IGNORECASE
)
_WHOLE = 8_000  # characters up to which a host shows all of an output


def is_whole(text: str) -> bool:
    """Return whether a host shows all of an output, and not its beginning and end."""
    return len(text) <= _WHOLE and not _CUT.search(text)


def shows_silent_file(text: str) -> bool:
    """Return whether `node --test` shows a file that passed and no test of it: it declares none, or ended before."""
    return _SILENT_FILE.search(_ANSI.sub("", text[-_READ:]).replace("\r\n", "\n")) is not None


def lacks_end(text: str, readers: tuple[str, ...]) -> bool:
    """Return whether an output, which is all that a tool printed, has nothing like the summary with which it always
    ends.
    """
    if not readers or not CLOSING.issuperset(readers) or not is_whole(text):
        return False
    text = _ANSI.sub("", text).replace("\r\n", "\n")
    shown = "\n".join(line for line in text.split("\n") if not line.startswith(("running ", "collected ")))
    return count(text, readers) is None and not _ANY_CLOSING.search(shown)


def count(text: str, readers: tuple[str, ...]) -> Counts | None:
    """Return what the summaries of these readers (none named: of any) say; None if there is no summary."""
    text = _ANSI.sub("", text[-_READ:]).replace("\r\n", "\n")
    passed, failed, spoke = 0, any(pattern.search(text) for pattern in _BROKEN), []
    for name in readers or SUMMARIES:
        summary = SUMMARIES.get(name)
        if summary is None:
            continue
        ended = all(needed.search(text) for needed in summary.needs)
        good = [number for pattern in summary.passed if ended for number in _numbers(pattern, text)]
        bad = [number for pattern in summary.failed for number in _numbers(pattern, text)]
        if good or bad or any(pattern.search(text) for pattern in summary.none):
            spoke.append(name)
            skipped = sum(number for pattern in summary.skipped for number in _numbers(pattern, text))
            passed, failed = passed + max(0, sum(good) - skipped), failed or any(bad)
    return Counts(passed, failed, tuple(spoke)) if spoke or failed else None


def _numbers(pattern: re.Pattern[str], text: str) -> list[int]:
    return [int(match[1][:9]) if pattern.groups else 1 for match in pattern.finditer(text)]

"""Count the tests that passed and failed, from the summary that a tool prints itself.

A table: for each reader the patterns of passes (group 1 is a number, or each match is one), the patterns of failures
(a number that is not 0, or the match itself), and a line that a failing run shows, for filters that choose lines. Each
pattern begins at a line's start and looks at one line, so that any output is read in linear time. Where a tool spoke,
and no test of it passed (all were skipped, pending, left for later), the run proves nothing. Not on the hook path: it
is imported when a line ran tests.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_READ = 60_000  # last characters of an output
_ANSI = re.compile(r"\x1b\[[0-9;?]{0,30}[A-Za-z]")
_AMONG = r"(?:, \d+ \w+){0,6}?"
_COUNTED = r"(?:\d+ (?:passed|failed|errors?|skipped|deselected|xfailed|xpassed|warnings?|rerun|subtests passed),? ?)*"
_MAVEN = r"^(?:\[\w+\] )?\s*(?:Tests run|Total tests(?: run)?): ?"
_TESTNG = r"(?:Passes: \d+, )?"
_OF_GRADLE = r"^\S.{0,200} > .{1,200} "
_GRADLE_TASK = r"^> Task \S{0,200}[tT]est\w{0,40}"
_OF_PHP = r"(?:, (?:Skipped|Incomplete|Risky|Warnings|Notices|Deprecations|PHPUnit \w+): \d+)*"


class Summary(NamedTuple):
    """The form of one tool's summaries."""

    passed: tuple[re.Pattern[str], ...]
    failed: tuple[re.Pattern[str], ...]
    failing_line: str
    none: tuple[re.Pattern[str], ...] = ()  # the tool spoke: without one of `passed` nothing did
    skipped: tuple[re.Pattern[str], ...] = ()  # how many of the passed ones did not run
    needs: tuple[re.Pattern[str], ...] = ()  # without such a line nothing passed
    coarse: bool = False  # it counts packages, programs or tasks: what counts tests beside it is right
    shown: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = ()  # single tests: skipped, passed
    again: tuple[str, ...] = ()  # each pattern counts all tests, which these readers may have counted as well


class Counts(NamedTuple):
    """The counts of a summary: how many passed, whether any failed, which readers said so, and whether failing tests
    stand beside the passed ones: neither errors around tests, nor whole packages.
    """

    passed: int
    failed: bool
    readers: tuple[str, ...]
    beside: bool = False


def _patterns(*texts: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(text, re.MULTILINE) for text in texts)


def _shown(skipped: str, passed: str) -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    return ((re.compile(skipped, re.MULTILINE), re.compile(passed, re.MULTILINE)),)


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
        shown=_shown(r"^[sx]+(?: +\[ *\d+%\])?$", r"^[.sxXFE]*\.[.sxXFE]*(?: +\[ *\d+%\])?$"),
    ),
    "unittest": Summary(
        _patterns(r"^Ran (\d+) tests? in [\d.]+s(?: using .{1,40})?$", r"^ - Passed: (\d+)$",
                  r"^ *(?:Ran|Total:) (\d+) tests(?: with|,) 0 failures, 0 errors"),
        _patterns(r"^FAILED \(", r"^(?:ERROR|FAIL): ", r"^ - Failed: (\d+)$"),
        "FAILED (failures=1)", _patterns(r"^NO TESTS RAN"),
        _patterns(r"^(?:OK|PASSED) \(.{0,80}?skip(?:s|ped)=(\d+)", r"^OK \(.{0,80}?expected failures=(\d+)",
                  r"^ *(?:Ran|Total:) \d+ tests(?: with|,) 0 failures, 0 errors and (\d+) skipped"),
    ),
    "behave": Summary(_patterns(r"^(\d+) scenarios? passed"), _patterns(r"^\d+ scenarios? passed, (\d+) failed"),
                      "1 scenario passed, 1 failed"),
    "cucumber": Summary(_patterns(r"^\d+ scenarios? \(.{0,80}?(\d+) passed"),
                        _patterns(r"^\d+ scenarios? \(.{0,80}?(\d+) failed"), "1 scenario (1 failed)",
                        _patterns(r"^0 scenarios$", r"^\d+ scenarios? \(")),
    "robot": Summary(_patterns(r"^\d+ tests?(?: total)?, (\d+) passed, 0 failed"),
                     _patterns(r"^\d+ tests?(?: total)?, \d+ passed, (\d+) failed"), "1 test, 0 passed, 1 failed"),
    "tox": Summary(_patterns(r"^  [\w.-]{1,60}: OK \("), _patterns(r"^  [\w.-]{1,60}: FAIL ", r"^  evaluation failed"),
                   "  evaluation failed :( (1.0 seconds)", _patterns(r"^  [\w.-]{1,60}: SKIP"),
                   needs=_patterns(r"^  congratulations :\)"), coarse=True),
    "nox": Summary(_patterns(r"^nox > Session \S{1,80} was successful"), _patterns(r"^nox > Session \S{1,80} failed"),
                   "nox > Session tests failed.", _patterns(r"^nox > (?:Session|\*) \S{1,80} (?:was )?skipped"),
                   coarse=True),
    "jest": Summary(
        _patterns(r"^Tests: +(?:\d+ \w+, )*?(\d+) passed, (?:\d+ \w+, )*?\d+ total",
            r"^Tests: +(\d+) passed, \d+ total"),
        _patterns(r"^(?:Tests|Test Suites): +(\d+) failed", r"^FAIL \S"),
        "Tests:       1 failed, 1 total\nTest Suites: 1 failed, 1 total",
        _patterns(r"^Tests: +(?:\d+ \w+, )*\d+ total", r"^No tests found"),
    ),
    "vitest": Summary(
        _patterns(r"^ *Tests  (?:\d+ \w+ \| )*?(\d+) passed"),
        _patterns(r"^ *(?:Tests|Test Files)  (\d+) failed", r"^ *Errors  (\d+) error", r"^ *FAIL  ?\S"),
        "      Tests  1 failed (1)\n Test Files  1 failed (1)",
        _patterns(r"^ *Tests  (?:no tests|(?:\d+ \w+ \| )*\d+ \w+ \(\d+\))", r"^No test files found"),
    ),
    "mocha": Summary(_patterns(r"^ *(\d+) passing \("), _patterns(r"^ *(\d+) failing"), "  1 failing",
                     _patterns(r"^ *\d+ pending$")),
    "ava": Summary(_patterns(r"^ *(\d+) tests? passed"), _patterns(r"^ *(\d+) (?:tests? failed|uncaught|unhandled)"),
                   "1 test failed", _patterns(r"^ *\d+ tests? (?:skipped|todo)$")),
    "node": Summary(_patterns(r"^[ℹ#] pass (\d+)"), _patterns(r"^[ℹ#] (?:fail|cancelled) (\d+)"),
                    "ℹ fail 1", _patterns(r"^[ℹ#] tests 0$")),
    "tap": Summary(_patterns(r"^ok \d+(?!.{0,300}# ?(?i:skip|todo))", r"^# pass +(\d+)", r"^Asserts: +(\d+) pass"),
                   _patterns(r"^not ok \d", r"^# fail +(\d+)", r"^Asserts: +\d+ pass +(\d+) fail",
        r"^Bail out!"),
                   "not ok 1", _patterns(r"^ok \d+.{0,300}# ?(?i:skip|todo)", r"^1\.\.0\b"), again=("node",)),
    "playwright": Summary(_patterns(r"^ +(\d+) passed \(", r"^ +(\d+) flaky$"),
                          _patterns(r"^ +(\d+) (?:failed|interrupted|did not run)$"),
                          "  1 failed", _patterns(r"^ +\d+ skipped$")),
    "cypress": Summary(_patterns(r"^ *│ Passing: +(\d+)"), _patterns(r"^ *│ Failing: +(\d+)"), "│ Failing: 1"),
    "karma": Summary(_patterns(r"^(?:TOTAL: |.{0,80}Executed )(\d+)(?: SUCCESS| of \d+(?: \(skipped \d+\))? SUCCESS)"),
                     _patterns(r"^.{0,80}\((\d+) FAILED"), "Executed 1 of 1 (1 FAILED)"),
    "bun": Summary(_patterns(r"^ *(\d+) pass$"), _patterns(r"^ *(\d+) fail$", r"^ *(\d+) errors?$"), " 1 fail"),
    "deno": Summary(_patterns(r"^ok \| (\d+) passed"), _patterns(r"^FAILED \|", r"^error: "), "FAILED | 0 passed | "
        "1 failed"),
    "go": Summary(
        _patterns(r"^ok\s+\S+\s+(?:\(cached\)|[\d.]+s)(?!.{0,200}\[no tests to run\])",
                  r'^\{.{0,200}"Action":"pass".{0,200}"Test":'),
        _patterns(r"^(?:FAIL|--- FAIL|panic:)", r'^\{.{0,200}"Action":"fail"', r"^\S+ \[build failed\]"), "FAIL\tx",
        _patterns(r"^\?\s+\S", r"^ok\s.{0,300}\[no tests to run\]$", r'^\{.{0,200}"Action":"skip"'),
        coarse=True, shown=_shown(r"^\s*--- SKIP: ", r"^\s*--- PASS: "),
    ),
    "gotestsum": Summary(_patterns(r"^DONE (\d+) tests?"),
        _patterns(r"^DONE \d+ tests?,.{0,40}?(\d+) (?:failure|error)s?"),
                         "DONE 1 tests, 1 failure in 1s",
                         skipped=_patterns(r"^DONE \d+ tests?, (\d+) skipped")),
    "ginkgo": Summary(_patterns(r"^(?:SUCCESS|Passed)! -- (\d+) Passed"), _patterns(r"^FAIL! --"), "FAIL! -- 1"),
    "bazel": Summary(_patterns(r"^Executed \d+ out of \d+ tests?: (\d+) tests? pass"),
                     _patterns(r"^Executed .{0,80}?(\d+) fails? "), "Executed 1 out of 1 test: 1 fails locally.",
                     _patterns(r"^Executed \d+ out of \d+ tests?", r"^No test targets were found"), coarse=True),
    "cargo": Summary(_patterns(r"^test result: ok\. (\d+) passed; 0 failed"),
                     _patterns(r"^test result: FAILED", r"^error: (?:test failed|could not compile|\d+ target)"),
                     "test result: FAILED. 0 passed; 1 failed"),
    "nextest": Summary(_patterns(r"^ *Summary \[.{1,20}\] \d+ tests? run: (\d+) passed"),
                       _patterns(r"^ *Summary \[.{1,20}\] .{0,80}?(\d+) (?:failed|timed out|exec failed)",
                           r"^error: "),
                       "Summary [ 1.0s] 1 tests run: 0 passed, 1 failed"),
    "maven": Summary(_patterns(_MAVEN + rf"(\d+), {_TESTNG}Failures: 0, (?:Errors: 0|Skips: )",
                               r"^\[ +(\d+) tests successful +\]"),
                     _patterns(_MAVEN + rf"\d+, {_TESTNG}Failures: (\d+)",
                               _MAVEN + r"\d+, Failures: \d+, Errors: (\d+)", r"^\[ +(\d+) tests failed +\]",
                               r"^(?:\[\w+\] )?BUILD FAIL", r"^FAILURE: "), "[ERROR] Tests run: 1, Failures: 1, "
                                   "Errors: 0",
                     _patterns(_MAVEN + r"\d", r"^(?:\[\w+\] )?(?:Tests are skipped|No tests to run)\."),
                     _patterns(_MAVEN + rf"\d+, {_TESTNG}Failures: 0, (?:Errors: 0, Skipped|Skips): (\d+)")),
    "gradle": Summary(_patterns(r"^(\d+) tests completed$", _OF_GRADLE + "PASSED$",
                                r"^SUCCESS: Executed (\d+) tests? "),
                      _patterns(r"^\d+ tests? completed, (\d+) failed", r"^BUILD FAILED", r"^FAILURE: "),
                      "1 test completed, 1 failed", _patterns(_OF_GRADLE + "SKIPPED$"),
                      _patterns(r"^SUCCESS: Executed \d+ tests? .{0,60}\((\d+) skipped\)")),
    TASKS_DONE: Summary(_patterns(r"^> Task (?::[\w.-]{1,80}){0,8}:test$"),
                        _patterns(r"^> Task \S{1,200} FAILED$", r"^BUILD FAILED", r"^FAILURE: "),
                        "> Task :test FAILED", needs=_patterns(r"^BUILD SUCCESSFUL in "), coarse=True,
                        shown=_shown(_GRADLE_TASK + " (?:NO-SOURCE|SKIPPED)$",
                                     _GRADLE_TASK + "(?: UP-TO-DATE| FROM-CACHE)?$")),
    "sbt": Summary(_patterns(r"^\[info\] .{0,40}(?:succeeded|Passed: Total \d+, Failed 0, Errors 0, Passed) (\d+)"),
                   _patterns(r"^\[info\] Tests: .{0,40}failed (\d+)", r"^\[error\] "), "[error] x",
                   _patterns(r"^\[info\] No tests (?:were executed|to run)", r"^\[info\] Passed: Total ")),
    "clojure": Summary(_patterns(r"^Ran (\d+) tests containing \d+ assertions\.\n0 failures, 0 errors\.$",
                                 r"^(\d+) tests?, \d+ assertions?, 0 failures\.$"),
                       _patterns(r"^(\d+) failures, \d+ errors\.$", r"^0 failures, (\d+) errors\.$",
                                 r"^\d+ tests?, \d+ assertions?, (?:\d+ errors?, )?(\d+) failures?\.$",
                                 r"^\d+ tests?, \d+ assertions?, (\d+) errors?,"), "1 failures, 0 errors.",
                       _patterns(r"^Ran \d+ tests containing ")),
    "dotnet": Summary(_patterns(r"^Passed! +- Failed: +0, Passed: +(\d+)", r"^ +Passed: (\d+)$",
                                r"^Test summary: total: \d+, failed: 0, succeeded: (\d+)", r"^ +succeeded: (\d+)$"),
                      _patterns(r"^Failed! +-", r"^ +Failed: (\d+)$", r"^Test summary: total: \d+, failed: (\d+)",
                                r"^ +failed: (\d+)$"),
                      "Failed!  - Failed: 1",
                      _patterns(r"^Skipped! +-", r"^Total tests: \d+$", r"^No test is available in",
                                r"^Test run summary: Zero tests ran")),
    "rspec": Summary(_patterns(r"^(\d+) examples?, 0 failures(?!, \d+ errors? occurred)"),
                     _patterns(r"^\d+ examples?, (\d+) failures?",
                         r"^\d+ examples?, \d+ failures?, (\d+) errors? occurred"),
                     "1 example, 1 failure",
                     skipped=_patterns(rf"^\d+ examples?, 0 failures{_AMONG}, (\d+) pending",
                                       rf"^\d+ examples?, 0 failures{_AMONG}, (\d+) skip(?:s|ped)?\b")),
    "minitest": Summary(_patterns(r"^(\d+) (?:runs|tests), \d+ assertions, 0 failures, 0 errors"),
                        _patterns(r"^\d+ (?:runs|tests), \d+ assertions, (\d+) failures",
                                  r"^\d+ (?:runs|tests), \d+ assertions, \d+ failures, (\d+) errors"),
                        "1 runs, 1 assertions, 1 failures, 0 errors",
                        skipped=_patterns(*(rf"^\d+ (?:runs|tests), \d+ assertions, 0 failures, 0 errors{_AMONG},"
                                            rf" (\d+) {word}" for word in ("skips", "pendings", "omissions")))),
    "phpunit": Summary(_patterns(r"^OK \((\d+) tests?", rf"^Tests: (\d+), Assertions: \d+{_OF_PHP}\.$",
                                 r"^\d+ examples? \(.{0,80}?(\d+) passed"),
                       _patterns(r"^(?:FAILURES|ERRORS)!", r"^Tests: \d+, .{0,80}"
                       r"(?:Failures|Errors): (\d+)", r"^No tests executed",
                       r"^\d+ examples? \(.{0,80}?(\d+) (?:failed|broken)"), "Tests: 1, Assertions: 1, Failures: 1.",
                       _patterns(r"^OK, but ", r"^Tests: \d+, Assertions: ", r"^\d+ examples? \("),
                       _patterns(r"^Tests: \d+, .{0,80}?Skipped: (\d+)", r"^Tests: \d+, .{0,80}?Incomplete: (\d+)",
                                 r"^Tests: \d+, Assertions: 0, .{0,80}?Risky: (\d+)")),
    "pest": Summary(_patterns(r"^ *Tests: +(?:\d+ \w+, )*?(\d+) passed(?!, \d+ total)"),
                    _patterns(r"^ *Tests: +(\d+) failed"),
                    "  Tests:    1 failed",
                    _patterns(r"^ *Tests: +(?:\d+ \w+, )*\d+ (?:skipped|todos?|incomplete|risky|pending)")),
    "ctest": Summary(_patterns(r"^100% tests passed, 0 tests failed out of (\d+)"),
                     _patterns(r"^\d+% tests passed, (\d+) tests failed", r"^No tests were found"),
                     "0% tests passed, 1 tests failed out of 1",
                     skipped=_patterns(r"^\s+\d+ - .{1,200} \(Skipped\)$"), coarse=True,
                     shown=_shown(r"^ *\d+/\d+ Test +#\d+: .{1,200}\*\*\*(?:Skipped|Not Run)",
                                  r"^ *\d+/\d+ Test +#\d+: .{1,200} Passed ")),
    "meson": Summary(_patterns(r"^Ok: +(\d+)"), _patterns(r"^(?:Fail|Timeout|Unexpected Pass): +(\d+)"), "Fail: 1",
                     _patterns(r"^Skipped: +\d+$"), coarse=True),
    "swift": Summary(_patterns(r"^\s*Executed (\d+) tests?, with (?:\d+ tests? skipped and )?0 failures",
                               r"^.{0,3} ?Test run with (\d+) tests?.{0,30} passed"),
                     _patterns(r"^\s*Executed \d+ tests?, with (?:\d+ tests? skipped and )?(\d+) failures?",
                               r"^.{0,3} ?Test run with .{0,60} failed", r"^error: "), "Executed 1 test, with 1 "
                                   "failure",
                     skipped=_patterns(r"^\s*Executed \d+ tests?, with (\d+) tests? skipped and 0 failures"),
                     coarse=True,
                     shown=_shown(r"^.{0,3} ?Test (?!run ).{1,200} skipped", r"^.{0,3} ?Test (?!run ).{1,200} passed")),
    "dart": Summary(_patterns(r"^.{0,20}\+(\d+)(?: ~\d+)?: All tests passed!"),
                    _patterns(r"^.{0,20}: Some tests failed", r"^.{0,20}\+\d+(?: ~\d+)? -(\d+):"), "00:01 +0 -1: "
                        "Some tests failed.",
                    _patterns(r"^.{0,20}\+0(?: ~\d+)?: (?:All tests skipped|No tests ran)")),
    "counts": Summary(_patterns(r"^(?:\d+ (?:doctests?|properties|property), )*(\d+) tests?, 0 failures",
                                r"^(\d+) doctests?, .{0,60}\b0 failures",
                                r"^(?:\d+ doctests?, )?(\d+) propert(?:y|ies), .{0,60}\b0 failures"),
                      _patterns(r"^(?:\d+ \w+, )*\d+ tests?, (\d+) failures?"), "1 test, 1 failure",
                      skipped=_patterns(r"^(?:\d+ \w+, )*\d+ tests?, 0 failures.{0,40}?, (\d+) skipped",
                                        r"^(?:\d+ \w+, )*\d+ tests?, 0 failures.{0,40}?, (\d+) excluded")),
    "zig": Summary(
        _patterns(r"^Build Summary: \d+/\d+ steps succeeded; (\d+)/\d+ tests passed", r"^All (\d+) tests passed\.$",
                  r"^(\d+) passed; \d+ skipped; 0 failed"),
        _patterns(r"^Build Summary: .{0,80} failed", r"^error: ", r"^\d+ passed; \d+ skipped; (\d+) failed"),
        "Build Summary: 1/3 steps succeeded; 1 failed",
    ),
    "cabal": Summary(
        _patterns(r"^\d+ of \d+ test suites \((\d+) of \d+ test cases\) passed"),
        _patterns(r"^Test suite .{1,200}: FAIL$", r"^Error: "), "Test suite spec: FAIL", coarse=True,
    ),
    "tasty": Summary(_patterns(r"^All (\d+) tests passed \("), _patterns(r"^(\d+) out of \d+ tests failed"),
                     "1 out of 1 tests failed (0.00s)"),
    "turbo": Summary(_patterns(r"^ ?Tasks: +(\d+) successful, \1 total"), _patterns(r"^ ?Failed: {4}\S"),
                     " Failed:    x",
                     _patterns(r"^ ?Tasks: +0 ", r"^ ?No tasks were executed"), coarse=True),
    "nx": Summary(_patterns(r"^ ?NX +Successfully ran target"), _patterns(r"^ ?NX +Ran target .{1,200} failed"),
                  " NX   Ran target test for project x failed", _patterns(r"^ ?NX +No (?:projects|tasks)"),
                  coarse=True),
    "busted": Summary(_patterns(r"^(\d+) successes? / 0 failures? / 0 errors?"),
                      _patterns(r"^\d+ successes? / (\d+) failures?"), "0 successes / 1 failure / 0 errors"),
    "prove": Summary(_patterns(r"^Files=\d+, Tests=(\d+)"), _patterns(r"^Result: FAIL", r"^Result: NOTESTS"),
                     "Result: FAIL", coarse=True,
                     shown=_shown(r"^ok \d+.{0,300}# ?(?i:skip|todo)", r"^ok \d+(?!.{0,300}# ?(?i:skip|todo))")),
}  # fmt: skip
_BROKEN = re.compile(
    r"^(?:npm (?:ERR!|error) | ?ELIFECYCLE |ERR_PNPM_|make(?:\[\d+\])?: \*\*\* |error: script |error Command failed"
    r"| ?Failed: {4}\S|task: Failed to run|error: Recipe )",
    re.MULTILINE,
)
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
_HOST_CUT = re.compile(
    r"^.{0,20}\b\d+ (?:more )?(?:lines?|characters?|chars|bytes|tokens) (?:truncated|omitted|hidden|elided)\b.{0,20}$"
    r"|^\W{0,9}(?:output )?(?:truncated|omitted)\W{0,9}$|(?s:^<persisted-output>.*)",
    re.IGNORECASE | re.MULTILINE,
)
"""What a host puts in the place of a part that it leaves out, and all of a preview."""
_WHOLE = 8_000  # characters up to which a host shows all of an output


def is_whole(text: str) -> bool:
    """Return whether a host shows all of an output, and not its beginning and end."""
    return len(text) <= _WHOLE and not _CUT.search(text)


def behind_cut(text: str) -> str:
    """Return what is shown behind the last part that a host left out: the end of the run is there, or nowhere."""
    cuts = [match.end() for match in _HOST_CUT.finditer(text)]
    return text[cuts[-1] :] if cuts else text


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


_NAMED = re.compile(
    r"^(?:\[[^\]\n]{1,60}\]:? |[\w@][\w@./#-]{0,79}(?::[\w:.-]{1,40})?(?: [\w:.-]{1,40})?(?:: | +\| ))", re.MULTILINE
)
"""What task runners put before each line of what they ran: `@app/core:test: `, `packages/core test: `, `web-1  | `."""


def count(text: str, readers: tuple[str, ...]) -> Counts | None:
    """Return what the summaries of these readers (none named: of any) say; None if there is no summary.

    Behind the names that task runners put before lines, only is read that nothing passed, or that something failed.
    """
    text = _ANSI.sub("", text[-_READ:]).replace("\r\n", "\n")
    counts = _counted(text, readers)
    if counts is not None and not all(SUMMARIES[name].coarse for name in counts.readers):
        return counts
    bare = _NAMED.sub("", text)
    inner = _counted(bare, readers) if bare != text else counts
    if inner is None or inner.passed or (counts is None and inner.failed):
        return counts
    return inner


def _counted(text: str, readers: tuple[str, ...]) -> Counts | None:
    numbers = {False: 0, True: 0}  # of the passed ones, by whether it is a coarse count
    failed, spoke, beside = _BROKEN.search(text) is not None, [], False
    for name in readers or SUMMARIES:
        summary = SUMMARIES.get(name)
        if summary is None:
            continue
        ended = all(needed.search(text) for needed in summary.needs)
        each = [_numbers(pattern, text) for pattern in summary.passed if ended]
        good = max(each, key=sum, default=[]) if summary.again else [number for found in each for number in found]
        if any(name in spoke for name in summary.again):
            good = []
        bad = [number for pattern in summary.failed for number in _numbers(pattern, text)]
        idle = any(skip.search(text) and not passed.search(text) for skip, passed in summary.shown)
        if good or bad or idle or any(pattern.search(text) for pattern in summary.none):
            spoke.append(name)
            skipped = sum(number for pattern in summary.skipped for number in _numbers(pattern, text))
            numbers[summary.coarse] += 0 if idle and summary.coarse else max(0, sum(good) - skipped)
            failed = failed or any(bad)
            counts_failed = bool(summary.failed[0].groups) and not summary.coarse
            beside = beside or (counts_failed and any(_numbers(summary.failed[0], text)))
    fine = any(not SUMMARIES[name].coarse for name in spoke)
    return Counts(numbers[not fine], failed, tuple(spoke), beside and fine) if spoke or failed else None


def _numbers(pattern: re.Pattern[str], text: str) -> list[int]:
    return [int(match[1][:9]) if pattern.groups else 1 for match in pattern.finditer(text)]

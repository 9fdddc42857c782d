"""jest: failing tests, suites that do not run, a broken configuration, runs without a test."""

from __future__ import annotations

import re
from collections.abc import Iterator

from policy_engine.verification.failure import Failure
from policy_engine.verification.output import Output
from policy_engine.verification.readers.base import Reader, failure, first_text, marks, named, until

_SUITE = re.compile(r"\s{0,4}(?:FAIL|PASS) {1,4}(\S.*)")
_TITLE = re.compile(r" {2}● (\S.*)")
_PLACE = re.compile(r"\s{0,20}at (.{1,600}):(\d{1,9}):(\d{1,9})\)?$")
_PARSED = re.compile(r"\s{0,8}SyntaxError: (/?[^:]{1,300}): (.*) \((\d{1,9}):(\d{1,9})\)$")
_FRAME = re.compile(r"\s{0,8}>? {0,4}\d{0,9} ?\| ")
_ENDS = ("Test Suites: ", "Tests: ", "Summary of all failing tests", "FAIL ", "PASS ", "Snapshot Summary", "● ")


def _find(output: Output) -> Iterator[Failure]:
    lines = output.lines
    suite = ""
    for index, line in enumerate(lines):
        if (match := _SUITE.match(line)) and line.lstrip() == line.strip():
            suite = match[1].partition(" (")[0]
        elif (match := _TITLE.match(line)) and match[1] != "Console":
            yield _from_block(match[1], until(lines, index, _ends, 200), suite)
        elif line.startswith("● "):
            yield _refused(line, until(lines, index, _ends, 12))
        elif line.startswith("No tests found, exiting"):
            yield failure("no_tests", line, lines[index : index + 6])
        elif line.startswith("Jest: ") and "coverage threshold" in line:
            yield failure("test_failure", line)


def _ends(line: str) -> bool:
    return line.startswith(_ENDS) or line.startswith("  ● ")


def _from_block(title: str, shown: list[str], suite: str) -> Failure:
    message = _message(shown[1:])
    name = suite if title == "Test suite failed to run" else title
    for line in shown:
        if match := _PARSED.match(line):
            return failure("syntax", f"{name}: SyntaxError: {match[2]}", shown, match[1], match[3], match[4])
    kind = "test_failure"
    if title == "Test suite failed to run":
        if message.startswith("Cannot find module") or "Could not locate module" in message:
            kind = "import_error"
        elif "must contain at least one test" in message:
            kind = "no_tests"
        elif "SyntaxError" in message:
            kind = "syntax"
    places = [match for line in shown if (match := _PLACE.match(line)) and "node_modules/" not in match[1]]
    place = next((match for match in places if "node:" not in match[1]), None)
    if place is None or kind == "no_tests":
        return failure(kind, f"{name}: {message}", shown, suite)
    return failure(kind, f"{name}: {message}", shown, place[1].rpartition("(")[2], place[2], place[3])


def _message(shown: list[str]) -> str:
    """Return the first line of the message, and what a matcher expected and received."""
    message = first_text(shown)
    for line in shown[:12]:
        text = line.strip()
        if _FRAME.match(line):
            break
        if text != message and text.startswith(("Expected", "Received")):
            message = f"{message}; {text}"
    return message


def _refused(line: str, shown: list[str]) -> Failure:
    kind = "usage" if "CLI Parameter" in line else "configuration"
    return failure(kind, first_text(shown[1:]) or line, shown)


READER = Reader(
    "jest",
    claims=named("jest", "react-scripts"),
    marks=marks(
        r"^Test Suites: \d",
        r"^ {2}● \S",
        r"^(?:FAIL|PASS) \S[^\n]{0,300}\.[cm]?[jt]sx?(?: \(|$)",
        r"^Ran all test suites",
        r"^No tests found, exiting with code \d\nRun with `--passWithNoTests`",
    ),
    find=_find,
)

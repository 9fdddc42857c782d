"""vitest: failing tests, suites that cannot be loaded, errors outside of tests, runs without a test."""

from __future__ import annotations

import re
from collections.abc import Iterator

from policy_engine.verification.failure import Failure
from policy_engine.verification.output import Output
from policy_engine.verification.readers.base import Reader, failure, first_text, marks, named, until

_FAIL = re.compile(r" FAIL {2}(?:\|[^|]{1,100}\| )?(\S.*)")
_PLACE = re.compile(r"\s{0,8}❯ (.{1,600}):(\d{1,9}):(\d{1,9})$")
_PARSED = re.compile(r"\s{0,8}(?:At )?[Ff]ile: (/?)([^:]{1,300}):(\d{1,9}):(\d{1,9})$")
_SYNTAX = re.compile(
    r"SyntaxError|Parse fail|Transform failed|Unexpected token|Expected .* but found|Expression expected"
    r"|\[PARSE_ERROR\]"
)
_IMPORT = re.compile(
    r"Cannot find (?:module|package)|Failed to resolve import|Failed to load url|Failed to resolve entry"
)
_UNHANDLED = re.compile(r"⎯+ (Unhandled [A-Za-z]+|Uncaught [A-Za-z]+) ⎯+$")
_SETTINGS = re.compile(r".*failed to load config from (\S.*)")


def _find(output: Output) -> Iterator[Failure]:
    lines = output.lines
    for index, line in enumerate(lines):
        if match := _FAIL.match(line):
            shown = until(lines, index, lambda text: text.startswith(("⎯", " FAIL ")), 200)
            if any(not _FAIL.match(text) and text.strip() for text in shown):
                yield _from_block(match[1], shown)
            else:  # several tests that failed alike stand above one error
                rest = until(lines, index, lambda text: text.startswith("⎯"), 200)
                yield _from_block(match[1], [line, *(text for text in rest if not _FAIL.match(text))])
        elif line.startswith("⎯") and ("Startup Error" in line or _settings(lines, index)):
            shown = until(lines, index, lambda _: False, 12)
            summary = first_text(shown[1:]) or line.strip("⎯ ") or "configuration not loaded"
            yield failure("configuration", summary, shown, _settings(lines, index))
        elif (match := _UNHANDLED.match(line)) and not match[1].endswith("Errors"):
            shown = until(lines, index, lambda text: text.startswith("⎯"), 100)
            yield _placed("test_failure", f"{match[1]}: {first_text(shown[1:])}", shown, None)
        elif line.startswith("No test files found"):
            yield failure("no_tests", line, lines[index : index + 4])
        elif line.startswith("No test suite found") or "CACError: " in line[:20]:
            yield failure("usage", line.partition("CACError: ")[2] or line)


def _settings(lines: list[str], index: int) -> str | None:
    """Return the configuration that could not be loaded, as a line just above says."""
    matches = (_SETTINGS.match(line) for line in lines[max(0, index - 4) : index])
    return next((match[1] for match in matches if match), None)


def _from_block(title: str, shown: list[str]) -> Failure:
    message = first_text(shown[1:])
    text = "\n".join(shown)
    if title.endswith("]") and " [ " in title:
        file = title.partition(" [ ")[0].strip()
        kind = "test_failure"
        if _IMPORT.search(message):
            kind = "import_error"
        elif _SYNTAX.search(text[:2000]):
            kind = "syntax"
        elif "No test suite found" in message:
            kind = "no_tests"
        return _placed(kind, f"{file}: {message}", shown, file)
    file, _, name = title.partition(" > ")
    return _placed("test_failure", f"{name or file}: {message}", shown, file)


def _placed(kind: str, summary: str, shown: list[str], file: str | None) -> Failure:
    for line in shown:
        if (match := _PARSED.match(line)) and file is not None and match[2].endswith(file.rpartition("/")[2]):
            return failure(kind, summary, shown, file, match[3], match[4])
        if (match := _PLACE.match(line)) and "node_modules/" not in match[1]:
            return failure(kind, summary, shown, match[1].rpartition(" ")[2], match[2], match[3])
    return failure(kind, summary, shown, file)


READER = Reader(
    "vitest",
    claims=named("vitest"),
    marks=marks(
        r"^ (?:RUN|DEV) {2}v\d",
        r"^ FAIL {2}\S[^\n]{0,500} > ",
        r"^⎯{3,}",
        r"^ Test Files {2}\d",
        r"^No test files found, exiting with code",
    ),
    find=_find,
)

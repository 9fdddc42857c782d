"""eslint: errors in the formats stylish, unix, compact and json; warnings only where there were too many of them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from policy_engine.verification.failure import Failure
from policy_engine.verification.output import Output
from policy_engine.verification.readers.base import Reader, failure, marks, named, until

_STYLISH = re.compile(r"\s{1,8}(\d{1,9}):(\d{1,9})\s{1,8}(error|warning)\s{1,8}(\S.*)")
_UNIX = re.compile(r"((?:[A-Za-z]:)?[^:\s][^:]{0,500}):(\d{1,9}):(\d{1,9}): (.*) \[(Error|Warning)(?:/(\S{1,120}))?\]$")
_COMPACT = re.compile(r"(\S[^:]{0,500}): line (\d{1,9}), col (\d{1,9}), (Error|Warning) - (.*)")
_USAGE = ("No files matching", "All files matched by", "Invalid option", "No files were found")
_FILE = re.compile(r"(?:^|[\s`'\"])([^\s`'\"]{0,300}(?:\.eslintrc(?:\.[a-z]{1,6})?|eslint\.config\.[a-z]{2,3}))\b")
_CONFIGURATION = re.compile(
    r"(?i)config|eslintrc|Key \"|plugin|ERR_MODULE_NOT_FOUND|Cannot find (?:module|package)|parser"
)

Found = tuple[bool, Failure]


def _find(output: Output) -> Iterator[Failure]:
    failures = list(_from_json(output.text)) or list(_from_lines(output.lines))
    errors = [one for is_error, one in failures if is_error]
    yield from errors or [one for _, one in failures]
    if not failures:
        yield from _refused(output.lines)


def _from_lines(lines: list[str]) -> Iterator[Found]:
    file = ""
    for line in lines:
        if match := _STYLISH.match(line):
            message, _, rule = match[4].rpartition("  ")
            if " " in rule or not message:
                message, rule = match[4], ""
            yield _found(match[3], message, rule, (file, match[1], match[2]), line)
        elif match := _UNIX.match(line):
            yield _found(match[5], match[4], match[6] or "", (match[1], match[2], match[3]), line)
        elif match := _COMPACT.match(line):
            message, _, rule_name = match[5].rpartition(" (")
            rule = rule_name.rstrip(")") if message else ""
            yield _found(match[4], message or match[5], rule, (match[1], match[2], match[3]), line)
        elif line and not line[0].isspace():
            file = line


def _from_json(text: str) -> Iterator[Found]:
    start = text.find('[{"filePath":')
    if start < 0:
        return
    try:
        files, _ = json.JSONDecoder().raw_decode(text, start)
        for one in files:
            for message in one["messages"]:
                severity = "error" if message.get("severity") == 2 or message.get("fatal") else "warning"
                place = (str(one["filePath"]), message.get("line"), message.get("column"))
                rule = message.get("ruleId") or ""
                yield _found(severity, str(message["message"]), str(rule), place, str(message["message"]))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return


def _found(severity: str, message: str, rule: str, place: tuple[str, str | None, str | None], line: str) -> Found:
    kind = "syntax" if message.startswith("Parsing error") else "lint"
    summary = f"{message.strip()} ({rule})" if rule else message
    numbers = [value if value is None or str(value).isdecimal() else None for value in place[1:]]
    return severity.lower() == "error", failure(kind, summary, [line], place[0], *numbers)


def _refused(lines: list[str]) -> Iterator[Failure]:
    for index, line in enumerate(lines):
        if line.startswith("Invalid option '"):
            yield failure("usage", line)
        elif line.startswith("Oops! Something went wrong!"):
            yield _broken(until(lines, index, lambda _: False, 30))


def _broken(shown: list[str]) -> Failure:
    """Return a message, over several lines where one ends in `:`, then a stack."""
    lines = [text.strip() for text in shown[1:] if text.strip() and not text.startswith(("ESLint: ", "    at "))]
    message = next((" ".join(lines[: end + 1]) for end, text in enumerate(lines) if not text.endswith(":")), "")
    if any(word in message for word in _USAGE):
        return failure("usage", message, shown)
    if not _CONFIGURATION.search(message):
        return failure("crash", message or shown[0], shown)
    file = _FILE.search(message)
    return failure("configuration", message, shown, file and file[1])


READER = Reader(
    "eslint",
    claims=named("eslint", "eslint_d", "xo", "standard"),
    marks=marks(
        r"^(?:✖|×|x) \d+ problems? \(\d+ errors?, \d+ warnings?\)",
        r"^ +\d+:\d+ +(?:error|warning) {2,}\S",
        r"^Oops! Something went wrong! :\(",
        r"\[(?:Error|Warning)/[^\s\]]{1,120}\]$",
        r'^\[\{"filePath":',
        r"^ESLint: \d",
        r"^[^:\n]{1,300}: line \d+, col \d+, (?:Error|Warning) - ",
    ),
    find=_find,
)

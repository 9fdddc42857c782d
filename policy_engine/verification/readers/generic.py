"""Any output: what shells, interpreters, `make` and most tools have in common; asked when all others found nothing.

A line `file:line: text` gives a place, and its class stays `unknown` where the text does not name one: what is only
guessed from words is not made a class that rules rely on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from policy_engine.verification.failure import Failure
from policy_engine.verification.output import Output
from policy_engine.verification.python_traceback import class_of, raised
from policy_engine.verification.readers.base import Reader, failure, until

_TRACEBACK = "Traceback (most recent call last):"
_MISSING = re.compile(
    r".{0,200}: (?:command )?not found$|.{0,80}: command not found: \S{1,200}$|.{0,200}No module named \S{1,200}$"
    r"|.{0,200}executable file not found in|npm (?:ERR!|error) Missing script|error: Failed to spawn: "
    r"|.{0,80}could not determine executable to run|(?:make(?:\[\d{1,3}\])?|env): \S{1,200}: No such file or directory$"
)
_DENIED = re.compile(r".{0,200}: Permission denied$|.{0,200}EACCES: permission denied")
_CRASHED = re.compile(
    r".{0,200}(?:Segmentation fault|\(core dumped\)|Bus error|Illegal instruction|heap out of memory|Out of memory"
    r"|java\.lang\.OutOfMemoryError|std::bad_alloc|AddressSanitizer)"
    r"|(?:\S{1,200}: )?(?:line \d{1,9}: )?(?:\d{1,9} )?(?:Killed|Aborted)\b"
)
_USAGE = re.compile(
    r"(?:.{0,200}: )?(?:error: )?(?:unrecognized arguments|unrecognized option|[Uu]nknown option|[Nn]o such option"
    r"|unexpected argument|invalid option|[Ii]llegal option|the following arguments are required)"
)
_NO_RULE = re.compile(r"make(?:\[\d{1,3}\])?: \*\*\* (?:No rule to make target|No targets|missing separator)")
_MAKE = re.compile(r"make(?:\[\d{1,3}\])?: \*\*\* \[(?:([^\]:]{1,300}):(\d{1,9}): )?([^\]]{1,300})\] (.*)")
_MAKEFILE = re.compile(r"([^:\s]{1,300}):(\d{1,9}): \*\*\* (.*)")
_TAP = re.compile(r"\s{0,16}not ok \d{1,9}(?: - |\s)(?!.*# (?:TODO|SKIP))(.*)")
_TAP_PLACE = re.compile(r"\s{1,16}(?:location|at): ['\"]?([^'\"]{1,500}?):(\d{1,9}):(\d{1,9})")
_GITHUB = re.compile(r"::error (?=\S)([^:]{0,600})::(.*)")
_NODE_PLACE = re.compile(r"(?:file://)?(/[^:]{1,500}|[A-Za-z]:[^:]{1,500}):(\d{1,9})$")
_NODE_RAISED = re.compile(r"(?:Uncaught )?(\w{0,60}Error)(?: \[\w{1,60}\])?: (.*)")
_PLACE = re.compile(r"((?:[A-Za-z]:)?[^:\s][^:]{0,300}\.\w{1,12}):(\d{1,9}):(?:(\d{1,9}):?)? (\S.*)")
_HARMLESS = re.compile(r"(?i)(?:warning|warn|note|info|debug)\b")
_WORDS = re.compile(
    r"(?i)\b(?:error|fail(?:ed|ure|s)?|exception|fatal|cannot|could not|unable|denied|invalid|not found"
    r"|missing|refused)\b"
)


def _find(output: Output) -> Iterator[Failure]:
    lines = output.lines
    has_matched = False
    for index, line in enumerate(lines):
        one = _known(lines, index, line) or _placed(lines, index, line)
        if one is not None:
            has_matched = True
            yield one
    if not has_matched:
        yield from _something(lines)


def _known(lines: list[str], index: int, line: str) -> Failure | None:
    for pattern, kind in (
        (_MISSING, "missing_command"),
        (_DENIED, "permission_denied"),
        (_NO_RULE, "configuration"),
        (_USAGE, "usage"),
        (_CRASHED, "crash"),
    ):
        if pattern.match(line):
            return failure(kind, line, lines[max(0, index - 2) : index + 3])
    if line.strip() == _TRACEBACK:
        return _traceback(lines, index)
    if match := _TAP.match(line):
        shown = until(lines, index, lambda text: "ok " in text[:20], 30)
        place = next((where for text in shown if (where := _TAP_PLACE.match(text))), None)
        return failure("test_failure", match[1] or line, shown, *(place.groups() if place else ()))
    if match := _GITHUB.match(line):
        fields = dict(part.partition("=")[::2] for part in match[1].split(","))
        line_number, column = (fields.get(name, "") for name in ("line", "col"))
        numbers = (value if value.isdecimal() else None for value in (line_number, column))
        return failure("unknown", match[2].replace("%0A", "\n"), [line], fields.get("file"), *numbers)
    if match := _NODE_RAISED.match(line):
        return _javascript(lines, index, match)
    return None


def _traceback(lines: list[str], index: int) -> Failure | None:
    end = index + 1
    while end < len(lines) and end - index < 200 and (lines[end][:1] in (" ", "") and lines[end] != ""):
        end += 1
    shown = lines[index : end + 1]
    what = raised(shown[1:])
    if what is None:
        return None
    return failure(class_of(what.name, "crash"), what.what, shown, what.file, what.line)


def _javascript(lines: list[str], index: int, match: re.Match[str]) -> Failure | None:
    """Return what node throws up: the place stands some lines above, the frames below."""
    above = [place for line in lines[max(0, index - 6) : index] if (place := _NODE_PLACE.match(line))]
    frames = index + 1 < len(lines) and lines[index + 1].lstrip().startswith(("at ", "Require stack:"))
    if not above and not frames:
        return None
    kind = "syntax" if match[1] == "SyntaxError" else "crash"
    if "Cannot find module" in match[2] or "Cannot find package" in match[2]:
        kind = "import_error"
    own = above[-1] if above and "/node_modules/" not in above[-1][1] else None
    shown = lines[max(0, index - 6) : index + 6]
    return failure(kind, lines[index], shown, own and own[1], own and own[2])


def _placed(lines: list[str], index: int, line: str) -> Failure | None:
    match = _PLACE.match(line)
    if match and not _HARMLESS.match(match[4]):
        message = match[4].removeprefix("error: ").removeprefix("Error: ")
        return failure(
            "unknown", message, until(lines, index, lambda text: not text[:1].isspace(), 8), *match.groups()[:3]
        )
    return None


def _something(lines: list[str]) -> Iterator[Failure]:
    """Yield the last word of `make`, else the last line that speaks of a failure, else the last line."""
    lines_with_text = [(index, line) for index, line in enumerate(lines) if line.strip()]
    for index, line in lines_with_text:
        if match := _MAKEFILE.match(line):
            yield failure("configuration", match[3], [line], match[1], match[2])
            return
        if match := _MAKE.match(line):
            shown = lines[max(0, index - 10) : index + 1]
            yield failure("unknown", f"make: {match[3]}: {match[4]}", shown, match[1], match[2])
            return
    if lines_with_text:
        at = next((one for one in reversed(lines_with_text[-200:]) if _WORDS.search(one[1])), lines_with_text[-1])
        yield failure("unknown", at[1].strip(), lines[max(0, at[0] - 10) : at[0] + 5])


READER = Reader("generic", claims=lambda _: False, marks=(), find=_find, fallback=True)

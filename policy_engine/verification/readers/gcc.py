"""gcc, clang and the linker: errors, headers that are missing, warnings that count as errors."""

from __future__ import annotations

import re
from collections.abc import Iterator

from policy_engine.verification.failure import Failure
from policy_engine.verification.output import Output
from policy_engine.verification.readers.base import Reader, failure, marks, until

_ERROR = re.compile(r"((?:[A-Za-z]:)?[^:\s][^:]{0,500}):(\d{1,9}):(?:(\d{1,9}):)? (fatal error|error): (.*)")
_ANY = re.compile(
    r"\S[^:]{0,500}:(?:\d{1,9}:)?(?:\d{1,9}:)? (?:(?:fatal )?error|warning|note): |\S[^:]{0,500}: In |In file included "
)
_TOOL = re.compile(r"(?:\S{0,300}/)?([\w+.-]{1,60}): (?:fatal )?error: (.*)")
_UNDEFINED = re.compile(
    r"(?:\S{0,300}: )?(?:([^:\s(]{1,300}):)?(?:(\d{1,9}):"
    r"|\(\.\w{1,40}[^)]{0,200}\):) (undefined reference to .*|multiple definition of .*)"
)
_LINKER = re.compile(
    r"(?:\S{0,300}/)?ld(?:\.\w{1,20})?: (cannot find .*|.*undefined symbol.*|library not found .*"
    r"|symbol\(s\) not found.*)"
)
_MISSING = re.compile(r"(?:: No such file or directory|' file not found)$")
_SYNTAX = re.compile(r"(?:expected |stray |unterminated |missing terminating|extraneous |unbalanced )")
_PROGRAM = re.compile(r"(?:[\w.]+-)*(?:gcc|g\+\+|c\+\+|cc|clang|clang\+\+|ld|collect2)(?:-[\d.]+)?")
_ENDS = ("ld returned", "linker command failed")


def _find(output: Output) -> Iterator[Failure]:
    lines = output.lines
    has_matched = False
    for index, line in enumerate(lines):
        if match := _ERROR.match(line):
            shown = until(lines, index, lambda text: _ANY.match(text) is not None, 20)
            yield failure(_class(match[4], match[5]), match[5], shown, match[1], match[2], match[3])
        elif match := _UNDEFINED.match(line):
            yield failure("compile_error", match[3], lines[max(0, index - 1) : index + 1], match[1], match[2])
        elif match := _LINKER.match(line):
            yield failure("import_error" if match[1].startswith("cannot find") else "compile_error", match[1], [line])
        elif (match := _TOOL.match(line)) and not match[2].startswith(_ENDS) and not has_matched:
            yield failure(_refused(match[2]), match[2], [line])
        else:
            continue
        has_matched = True


def _class(severity: str, message: str) -> str:
    if message.endswith("]") and "[-Werror" in message:
        return "lint"
    if severity == "fatal error" and _MISSING.search(message):
        return "import_error"
    return "syntax" if _SYNTAX.match(message) else "compile_error"


def _refused(message: str) -> str:
    """Return what a driver says without a place: arguments, or files that are not there."""
    return "lint" if "treated as errors" in message else "usage"


READER = Reader(
    "gcc",
    claims=lambda command: _PROGRAM.fullmatch(command[0]) is not None,
    marks=marks(
        r"^[^:\n]{1,300}\.(?:c|cc|cpp|cxx|h|hh|hpp|m|mm|f90|cu):\d+:(?:\d+:)? (?:fatal )?error: ",
        r"^[^:\n]{1,300}: In (?:function|member function|constructor|lambda)",
        r"undefined reference to `",
        r"^(?:collect2|gcc|g\+\+|cc1(?:plus)?|clang(?:\+\+)?): (?:fatal )?error: ",
        r"^\d+ (?:warnings? and \d+ )?errors? generated\.$",
    ),
    find=_find,
)

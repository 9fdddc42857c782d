"""tsc: errors of the TypeScript compiler, plain and `--pretty`; TS1xxx is syntax, TS5xxx and up the configuration."""

from __future__ import annotations

import re
from collections.abc import Iterator

from policy_engine.verification.failure import Failure
from policy_engine.verification.output import Output
from policy_engine.verification.readers.base import Reader, failure, marks, named, until

_PLAIN = re.compile(r"([^\s(][^(]{0,500})\((\d{1,9}),(\d{1,9})\): error TS(\d{1,6}): (.*)")
_PRETTY = re.compile(r"((?:[A-Za-z]:)?[^:\s][^:]{0,500}):(\d{1,9}):(\d{1,9}) - error TS(\d{1,6}): (.*)")
_GLOBAL = re.compile(r"error TS(\d{1,6}): (.*)")
_CONFIG = re.compile(r".*config file '([^']{1,500})'")
_IMPORT = frozenset((2306, 2307, 2688, 2691, 2732, 2792, 2834, 2835, 7016, 6053))


def _find(output: Output) -> Iterator[Failure]:
    for index, line in enumerate(output.lines):
        if match := _PLAIN.match(line) or _PRETTY.match(line):
            shown = until(output.lines, index, _other, 30)
            yield failure(_class(int(match[4])), _said(match[4], match[5]), shown, match[1], match[2], match[3])
        elif match := _GLOBAL.match(line):
            number = int(match[1])
            kind = "usage" if number in (5023, 5025, 5058, 6044, 6046, 6064, 6369) else _class(number)
            file = _CONFIG.match(match[2])
            yield failure(kind, _said(match[1], match[2]), [line], file and file[1])


def _other(line: str) -> bool:
    return bool(_PLAIN.match(line) or _PRETTY.match(line) or line.startswith(("error TS", "Found ")))


def _said(number: str, text: str) -> str:
    return f"TS{number}: {text}"


def _class(number: int) -> str:
    if number in _IMPORT:
        return "import_error"
    if 1000 <= number < 2000:
        return "syntax"
    return "configuration" if 5000 <= number < 7000 or 18000 <= number < 18004 else "type_error"


READER = Reader(
    "tsc",
    claims=named("tsc", "vue-tsc", "tsc-watch"),
    marks=marks(
        r"^[^(\n]{1,500}\(\d+,\d+\): error TS\d+: ",
        r"^[^:\n]{1,500}:\d+:\d+ - error TS\d+: ",
        r"^error TS\d+: ",
    ),
    find=_find,
)

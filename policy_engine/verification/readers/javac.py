"""javac: errors at the caret below the source line, warnings that count as errors, also in other languages."""

from __future__ import annotations

import re
from collections.abc import Iterator

from policy_engine.verification.failure import Failure
from policy_engine.verification.output import Output
from policy_engine.verification.readers.base import Reader, failure, marks, named, until

_WORDS = "error|エラー|错误|Fehler"
_ERROR = re.compile(rf"((?:[A-Za-z]:)?[^:\s][^:]{{0,500}}\.java):(\d{{1,9}}): (?:{_WORDS})(?:: |：)(.*)")
_WARNING = re.compile(r"((?:[A-Za-z]:)?[^:\s][^:]{0,500}\.java):(\d{1,9}): (?:warning|警告|Warnung)(?:: |：)(.*)")
_ANY = re.compile(r"\S[^:]{0,500}\.java:\d{1,9}: |\d{1,9} (?:error|warning)s?$|\D{1,10}\d{1,9}\D{1,3}$")
_GLOBAL = re.compile(rf"(?:{_WORDS})(?:: |：)(.*)")
_SYNTAX = re.compile(
    r".*expected$|illegal start|not a statement|reached end of file|unclosed |illegal character"
    r"|'\S{1,10}' without |malformed "
)
_IMPORT = re.compile(r"package \S{1,300} does not exist|module not found")


def _find(output: Output) -> Iterator[Failure]:
    lines = output.lines
    strict = any("-Werror" in line for line in lines)
    for index, line in enumerate(lines):
        match = _ERROR.match(line)
        if match or (strict and (match := _WARNING.match(line))):
            shown = until(lines, index, lambda text: _ANY.match(text) is not None, 12)
            column = next((text.index("^") + 1 for text in shown[2:] if text.strip() == "^"), None)
            kind = _class(match[3], shown) if match.re is _ERROR else "lint"
            yield failure(kind, match[3], shown, match[1], match[2], column)
        elif (match := _GLOBAL.match(line)) and "-Werror" not in match[1]:
            yield failure("usage", match[1], [line])


def _class(message: str, shown: list[str]) -> str:
    if _IMPORT.search(message) or (message == "cannot find symbol" and shown[1:2] and shown[1].startswith("import ")):
        return "import_error"
    return "syntax" if _SYNTAX.match(message) else "compile_error"


READER = Reader(
    "javac",
    claims=named("javac"),
    marks=marks(rf"^[^:\n]{{1,300}}\.java:\d+: (?:{_WORDS})(?:: |：)", r"^\d+ errors?$"),
    find=_find,
)

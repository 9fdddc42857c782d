"""mypy: types that do not fit, files that cannot be parsed, imports that cannot be found; notes go with their error."""

from __future__ import annotations

import re
from collections.abc import Iterator

from policy_engine.verification.failure import Failure
from policy_engine.verification.output import Output
from policy_engine.verification.readers.base import Reader, failure, marks, named, until

_PLACE = r"((?:[A-Za-z]:)?[^:\s][^:]{0,500}):(\d{1,9}):(?:(\d{1,9}):(?:\d{1,9}:\d{1,9}:)?)? "
_ERROR = re.compile(_PLACE + r"error: (.*)")
_ANY = re.compile(_PLACE + r"(?:error|note|warning): ")
_NO_PLACE = re.compile(r"(\S[^:]{0,500}): error: (.*)")
_CODE = re.compile(r"\[([a-z][a-z0-9-]{0,60})\]$")
_CONFIGURATION = re.compile(
    r"(\S[^:]{0,500}\.(?:ini|cfg|toml|mypyrc)): (?:\[[^\]]{1,200}\]: .*|.*(?:pars|configuration|expected).*)"
)
_IMPORT = frozenset(("import", "import-not-found", "import-untyped"))


def _find(output: Output) -> Iterator[Failure]:
    lines = output.lines
    has_matched = False
    settings = []
    for index, line in enumerate(lines):
        if match := _ERROR.match(line):
            has_matched = True
            message = match[4]
            following = lines[index + 1] if index + 1 < len(lines) else ""
            if following and not _CODE.search(message) and not following[0].isspace() and not _other(following):
                message = f"{message} {following}"
            yield failure(_class(message), message, until(lines, index, _other, 20), match[1], match[2], match[3])
        elif line.startswith("mypy: error: "):
            has_matched = True
            yield failure("usage", line.removeprefix("mypy: error: "), lines[max(0, index - 3) : index + 1])
        elif line.startswith("mypy: can't "):
            has_matched = True
            yield failure("usage", line)
        elif match := _CONFIGURATION.match(line):
            settings.append(failure("configuration", line, file=match[1]))
        elif match := _NO_PLACE.match(line):
            has_matched = True
            kind = "usage" if "annot read file" in match[2] else "configuration"
            yield failure(kind, match[2], [line], match[1])
        elif line.startswith("There are no .py[i] files"):
            yield failure("usage", line)
    if not has_matched:
        yield from settings


def _other(line: str) -> bool:
    return (
        _ERROR.match(line) is not None
        or line.startswith(("Found ", "mypy: "))
        or (_ANY.match(line) is not None and ": note: " not in line)
    )


def _class(message: str) -> str:
    if message.startswith("INTERNAL ERROR"):
        return "crash"
    match = _CODE.search(message)
    code = match[1] if match else ""
    if code == "syntax":
        return "syntax"
    if code in _IMPORT:
        return "import_error"
    return "configuration" if message.startswith("Duplicate module") else "type_error"


READER = Reader(
    "mypy",
    claims=named("mypy", "dmypy"),
    marks=marks(
        r"^Found \d+ errors? in \d+ files? \(",
        r"^[^:\n]{1,300}\.pyi?:\d+: error: .*\[[a-z-]+\]$",
        r"^mypy: ",
    ),
    find=_find,
)

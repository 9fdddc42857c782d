"""pyright and basedpyright: types that do not fit, imports that cannot be resolved, text that cannot be parsed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from policy_engine.verification.failure import Failure
from policy_engine.verification.output import Output
from policy_engine.verification.readers.base import Reader, failure, marks, named, until

_ERROR = re.compile(r"\s{0,8}((?:[A-Za-z]:)?[^:\s][^:]{0,500}):(\d{1,9}):(\d{1,9}) - error: (.*)")
_OTHER = re.compile(r"\s{0,8}\S.{0,500}:\d{1,9}:\d{1,9} - |\d+ errors?, |\S")
_RULE = re.compile(r"\(report(\w{1,80})\)$")
_USAGE = re.compile(
    r"(?:File or directory \".*\" does not exist|No source files found|.*is not a valid option|Unexpected option)"
)
_CONFIGURATION = re.compile(
    r"(?:Config(?:uration)? file .*(?:could not|invalid|error)|Could not (?:parse|read) .*onfig)", re.I
)


def _find(output: Output) -> Iterator[Failure]:
    lines = output.lines
    for index, line in enumerate(lines):
        if match := _ERROR.match(line):
            shown = until(lines, index, lambda text: _OTHER.match(text.replace("\xa0", " ")) is not None, 20)
            rule = next((rule_match[1] for text in shown if (rule_match := _RULE.search(text))), "")
            yield failure(_class(rule), match[4], shown, match[1], match[2], match[3])
        elif _USAGE.match(line):
            yield failure("usage", line)
        elif _CONFIGURATION.match(line):
            yield failure("configuration", line)


def _class(rule: str) -> str:
    """Return the class of a message: without a rule it is the parser's."""
    if not rule:
        return "syntax"
    return "import_error" if rule in ("MissingImports", "MissingModuleSource") else "type_error"


READER = Reader(
    "pyright",
    claims=named("pyright", "basedpyright", "pyright-python"),
    marks=marks(
        r"^\d+ errors?, \d+ warnings?, \d+ (?:informations?|notes?)", r"^ {2}\S.{0,300}:\d+:\d+ - (?:error|warning): "
    ),
    find=_find,
)

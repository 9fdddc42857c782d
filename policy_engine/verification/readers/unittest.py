"""unittest, also under Django: failing and erring tests, tests that cannot be imported, runs without a test."""

from __future__ import annotations

import re
from collections.abc import Iterator

from policy_engine.verification.failure import Failure
from policy_engine.verification.output import Output
from policy_engine.verification.python_traceback import class_of, raised
from policy_engine.verification.readers.base import Command, Reader, failure, marks, until

_HEAD = re.compile(r"(ERROR|FAIL|UNEXPECTED SUCCESS): (\S.*)")
_NONE = re.compile(r"(?:Ran 0 tests in |NO TESTS RAN)")


def _find(output: Output) -> Iterator[Failure]:
    lines = output.lines
    has_matched = False
    for index, line in enumerate(lines):
        match = _HEAD.match(line)
        if match and index and lines[index - 1].startswith("====="):
            has_matched = True
            yield _block(match, until(lines, index, lambda text: text.startswith(("=====", "Ran ")), 400))
        elif _NONE.match(line) and not has_matched:
            yield failure("no_tests", line)
            return


def _block(head: re.Match[str], shown: list[str]) -> Failure:
    last = next((n for n in range(len(shown) - 1, 0, -1) if not shown[n].startswith("-----")), 0)
    name = head[2].partition(" ")[0]
    what = raised(shown[1 : last + 1]) if "Traceback (most recent call last):" in shown else None
    if what is None:
        message = "unexpected success" if head[1] == "UNEXPECTED SUCCESS" else first_line(shown)
        return failure("test_failure", f"{name}: {message}", shown)
    loading = "unittest.loader." in head[2]
    kind = class_of(what.name, "test_failure") if loading else "test_failure"
    return failure(kind, f"{name}: {what.what}", shown, what.file, what.line)


def first_line(shown: list[str]) -> str:
    """Return the first line of a block without a traceback that says something."""
    return next((line for line in shown[1:] if line.strip("- ")), "failed")


def _claims(command: Command) -> bool:
    """Django's `test` is unittest, too."""
    return command[0] == "unittest" or (
        command[0] in ("manage.py", "django-admin", "django") and command[1:2] == ("test",)
    )


READER = Reader(
    "unittest",
    claims=_claims,
    marks=marks(
        r"^={60,}\n(?:ERROR|FAIL|UNEXPECTED SUCCESS): ",
        r"^Ran \d+ tests? in \d",
        r"^(?:FAILED \((?:failures|errors|unexpected)|NO TESTS RAN)",
    ),
    find=_find,
)

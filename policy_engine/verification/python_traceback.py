"""Read from a Python traceback where it was raised, in whose code, and what."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_FRAME = re.compile(r'(?:E? {0,8})File "([^"]{1,1000})", line (\d{1,9})(?:, in |$)')
_RAISED = re.compile(r"([A-Za-z_][\w.]{0,200})(?::(?: |$)|$)")
_LIBRARY = re.compile(r"[\\/](?:site|dist)-packages[\\/]|[\\/]lib[\\/]python\d|[\\/]Python\d+[\\/]Lib[\\/]|^<")
SYNTAX = frozenset(("SyntaxError", "IndentationError", "TabError"))
IMPORT = frozenset(("ImportError", "ModuleNotFoundError"))


@dataclass(frozen=True, slots=True)
class Raised:
    """`what` is the exception's own first line, `name` its class; the place is the last one outside libraries."""

    name: str
    what: str
    file: str | None
    line: str | None


def raised(lines: Sequence[str]) -> Raised | None:
    """Return what the last traceback in the lines says; None if no line looks like a raised exception."""
    places = [(index, match) for index, line in enumerate(lines) if (match := _FRAME.match(line))]
    start = places[-1][0] + 1 if places else 0
    for line in lines[start:]:
        match = None if line[:1] in (" ", "") else _RAISED.match(line)
        if match:
            file, number = own_place([(match[1], match[2]) for _, match in places])
            return Raised(match[1].rpartition(".")[2], line.strip(), file, number)
    return None


def own_place(places: Sequence[tuple[str, str]]) -> tuple[str | None, str | None]:
    """Return the last place that is not in a library."""
    return next((place for place in reversed(places) if not is_library(place[0])), (None, None))


def is_library(path: str) -> bool:
    """Return whether a file belongs to Python or to an installed package."""
    return _LIBRARY.search(path) is not None


def class_of(name: str, otherwise: str) -> str:
    """Return the class of failure that an exception's name means before anything of the tests ran."""
    if name in SYNTAX:
        return "syntax"
    return "import_error" if name in IMPORT else otherwise

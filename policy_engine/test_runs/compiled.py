"""Compare compiled Python with what its source compiles to: Python itself goes by the time and size in the header.

The compiled file is data for a reader of its own, since `marshal` may crash on what a program made up. Only code of the
engine's own version of Python can be compared, and none of another bugfix release, which compiles some sources
otherwise. The places of lines are left out. Not on the hook path: it is imported when a run of tests passed.
"""

from __future__ import annotations

import ast
import marshal
import opcode
import warnings
from _frozen_importlib_external import MAGIC_NUMBER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

HEADER = 16
_HEAD, _NAME = 20, 5
_RAISE = opcode.opmap["RAISE_VARARGS"]
_FIELDS = "code consts names locals kinds file name qualname"
_SINGLES = b"NFTS.0"
_NUMBERS = {ord("i"): 4, ord("g"): 8, ord("y"): 16}
_SHORT, _LONG = b"zZ)", b"saAut([<>"
_SEQUENCES = b")([<>"
_DEPTH = 100


def differs(source: bytes, compiled: bytes, name: str) -> bool:
    """Return whether a compiled file holds other code than its source; False where that cannot be known."""
    if compiled[:4] != MAGIC_NUMBER:
        return False
    if "-pytest-" in name:  # pytest puts its own code into what it compiles
        return _lacks_assertions(source, compiled)
    level = 2 if ".opt-2." in name else 1 if ".opt-1." in name else 0
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            code = compile(source, "", "exec", dont_inherit=True, optimize=level)
        ours = _Reader(marshal.dumps(code)).value()
    except (SyntaxError, ValueError, RecursionError, MemoryError, IndexError):
        return False
    try:
        return bool(_Reader(compiled[HEADER:]).value() != ours)
    except (ValueError, RecursionError, IndexError):
        return True


def _lacks_assertions(source: bytes, compiled: bytes) -> bool:
    """Return whether a function with assertions is compiled without what they name, or without raising anything."""
    try:
        tree, module = ast.parse(source), _Reader(compiled[HEADER:]).value()
    except (SyntaxError, ValueError, RecursionError, MemoryError, IndexError):
        return False
    built: dict[str, tuple[set[str], bool]] = {}
    for code in _codes(module):
        names, raises = built.get(name := code[1][_NAME][1].decode("utf-8", "replace"), (set(), False))
        inner = list(_codes(code))
        names = names.union(*(_names_of(one) for one in inner))
        built[name] = names, raises or any(_RAISE in one[1][0][1][::2] for one in inner)
    for function in (one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)):
        asserted = [node for one in ast.walk(function) if isinstance(one, ast.Assert) for node in ast.walk(one.test)]
        wanted = {node.id for node in asserted if isinstance(node, ast.Name)}
        wanted |= {node.attr for node in asserted if isinstance(node, ast.Attribute)}
        names, raises = built.get(function.name, (set(), False))
        if asserted and (not raises or not {one for one in wanted if one[:2] != "__"} <= names):
            return True
    return False


def _codes(value: Any) -> Iterator[Any]:
    """Yield a code that was read and those in it."""
    if type(value) is tuple and len(value) == 3 and type(value[0]) is bytes and len(value[0]) == _HEAD:
        yield value
        for constant in value[1][1]:
            yield from _codes(constant)


def _names_of(code: Any) -> Iterator[str]:
    for part in (code[1][2], code[1][3]):
        yield from (name.decode("utf-8", "replace") for _, name in part)


class _Reader:
    """Read marshalled code as plain tuples, without the names of files."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0
        self.known: list[Any] = []

    def number(self, size: int, signed: bool = False) -> int:
        """The number of so many bytes that stands next."""
        return int.from_bytes(self.bytes(size), "little", signed=signed)

    def value(self, depth: int = 0) -> Any:
        """The value that stands next. Raises ValueError, IndexError for what is none."""
        if depth > _DEPTH:
            raise ValueError("too deep")
        kind = self.data[self.at]
        self.at += 1
        place = -1
        if kind & 0x80:  # it is referred to later
            kind, place = kind & 0x7F, len(self.known)
            self.known.append(None)
        found = self.plain(kind, depth)
        if place >= 0:
            self.known[place] = found
        return found

    def plain(self, kind: int, depth: int) -> Any:
        """The value of a kind."""
        if kind in _SINGLES:
            return chr(kind)
        if kind == ord("r"):
            return self.known[self.number(4)]
        if kind in _NUMBERS:
            return kind, self.bytes(_NUMBERS[kind])
        if kind == ord("l"):
            size = self.number(4, signed=True)
            return size, self.bytes(2 * abs(size))
        if kind == ord("c"):
            head = self.bytes(_HEAD)
            values = {name: self.value(depth + 1) for name in _FIELDS.split()}
            del values["file"]
            self.bytes(4)  # the first line
            self.value(depth + 1)  # the table of lines
            return head, tuple(values.values()), self.value(depth + 1)
        if kind not in _SHORT and kind not in _LONG:
            raise ValueError("unknown kind")
        size = self.number(1 if kind in _SHORT else 4)
        if kind not in _SEQUENCES:
            return (kind == ord("s"), self.bytes(size))
        if size > len(self.data):
            raise ValueError("too long")
        items = tuple(self.value(depth + 1) for _ in range(size))
        return ("set", frozenset(items)) if kind in b"<>" else items

    def bytes(self, size: int) -> bytes:
        """So many bytes."""
        self.at += size
        if self.at > len(self.data):
            raise ValueError("too short")
        return self.data[self.at - size : self.at]

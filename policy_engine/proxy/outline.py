"""Read a line of JSON of any length in constant memory: its outline, in which what is nested or long is left out."""

from __future__ import annotations

import re
from typing import Any

from policy_engine.model.errors import EventError
from policy_engine.model.strict_json import read_json

_LONGEST = 512  # bytes of a text that are kept
_MOST = 65_536  # bytes of an outline
_OUTSIDE = re.compile(rb'["{}\[\]]')
_INSIDE = re.compile(rb'["\\]')


class Outline:
    """The outermost object of a line that is fed in pieces; everything within it is `{}`, `[]` or a cut text."""

    def __init__(self) -> None:
        self._kept = bytearray()
        self._depth = 0
        self._text = -1  # where the text began that is being read, as a place in what is kept; -1 outside of texts
        self._escaped = self._skipping = False

    def feed(self, piece: bytes) -> None:
        """Read on."""
        place = 0
        while place < len(piece):
            place = self._in_text(piece, place) if self._text >= 0 else self._between(piece, place)

    def value(self) -> Any:
        """The outline as a value, None if the line is no JSON or has too many parts to be kept."""
        try:
            return read_json(bytes(self._kept)) if len(self._kept) <= _MOST else None
        except EventError:
            return None

    def _keep(self, data: bytes) -> None:
        if self._depth <= 1 and not self._skipping and len(self._kept) <= _MOST:
            self._kept += data

    def _in_text(self, piece: bytes, place: int) -> int:
        if self._escaped:
            self._escaped = False
            self._keep(piece[place : place + 1])
            return place + 1
        match = _INSIDE.search(piece, place)
        end = match.start() if match else len(piece)
        self._keep(piece[place : min(end, place + _LONGEST + 1)])
        if self._depth <= 1 and len(self._kept) - self._text > _LONGEST:
            del self._kept[self._text :]
            self._skipping = True
        if match is None:
            return end
        if match[0] == b"\\":
            self._keep(match[0])
            self._escaped = True
        else:
            self._skipping = False
            self._keep(match[0])
            self._text = -1
        return end + 1

    def _between(self, piece: bytes, place: int) -> int:
        match = _OUTSIDE.search(piece, place)
        end = match.start() if match else len(piece)
        self._keep(piece[place:end])
        if match is None:
            return end
        if match[0] in b"}]":
            self._depth -= 1
        self._keep(match[0])
        if match[0] == b'"':
            self._text = len(self._kept)
        elif match[0] in b"{[":
            self._depth += 1
        return end + 1


class Cut(bytes):
    """The beginning of a line that is too long to be read, with the line's outline."""

    outline: Any = None


def outline_of(line: bytes) -> Any:
    """The outline of a line, None if it has none."""
    if isinstance(line, Cut):
        return line.outline
    outline = Outline()
    outline.feed(line)
    return outline.value()

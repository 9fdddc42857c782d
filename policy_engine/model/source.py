"""A policy text and places in it: `Source` turns offsets into lines and columns, `Span` is a pair of offsets."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from typing import NamedTuple


class Span(NamedTuple):
    """Half-open range of character offsets in one source."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Source:
    """One policy file: `name` is the path as it is shown to people, `text` its content with LF line ends."""

    name: str
    text: str = field(repr=False)
    _lines: list[int] = field(default_factory=list, compare=False, repr=False)

    @property
    def whole(self) -> Source:
        """The source that people know; another one only for a part of it."""
        return self

    def placed(self, span: Span) -> Span:
        """The span in the whole source."""
        return span

    def _starts(self) -> list[int]:
        if not self._lines:
            starts, at = [0], self.text.find("\n")
            while at >= 0:
                starts.append(at + 1)
                at = self.text.find("\n", at + 1)
            self._lines.extend(starts)
        return self._lines

    def position(self, offset: int) -> tuple[int, int]:
        """1-based line and column of an offset."""
        starts = self._starts()
        line = bisect_right(starts, offset) - 1
        return line + 1, offset - starts[line] + 1

    def line_start(self, line: int) -> int:
        """The offset at which a 1-based line begins."""
        return self._starts()[line - 1]

    def line_text(self, line: int) -> str:
        """The text of a 1-based line, without its end."""
        starts = self._starts()
        end = starts[line] - 1 if line < len(starts) else len(self.text)
        return self.text[starts[line - 1] : end]

    def location(self, span: Span) -> str:
        """`file:line:col` of the start of a span."""
        line, column = self.position(span.start)
        return f"{self.name}:{line}:{column}"

    def excerpt(self, span: Span) -> str:
        """The text under a span."""
        return self.text[span.start : span.end]


@dataclass(frozen=True, slots=True)
class PartSource(Source):
    """A part of a policy file that is read by itself; offsets are in the part, lines and columns in the whole.

    `_place` is the whole source and the offset of the part in it, which `move` changes while the part stays the same.
    """

    _place: list[tuple[Source, int]] = field(default_factory=list, compare=False, repr=False)

    def move(self, whole: Source, offset: int) -> None:
        """Note where the part stands now."""
        self._place[:] = [(whole, offset)]

    @property
    def whole(self) -> Source:
        return self._place[0][0]

    def placed(self, span: Span) -> Span:
        offset = self._place[0][1]
        return Span(span.start + offset, span.end + offset)

    def position(self, offset: int) -> tuple[int, int]:
        whole, start = self._place[0]
        return whole.position(start + offset)

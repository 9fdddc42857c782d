"""Write the text of a formatted file from its lines and the comments and blank lines of its source.

A comment that ended a line ends the line that now holds what stood before it; a comment on its own line stands above
what followed it. Of several blank lines one stays.
"""

from __future__ import annotations

import re
from bisect import bisect_left

from policy_engine.model.source import Span
from policy_engine.syntax import ast
from policy_engine.syntax.print_expressions import INDENT, Line

_BLANK = re.compile(r"\n[ \f]*\n")


class PageWriter:
    """Lines must come in the order of the source."""

    def __init__(self, file: ast.File) -> None:
        self._text = file.source.text
        self._comments = sorted(file.comments, key=lambda comment: comment.span.start)
        self._starts = [comment.span.start for comment in self._comments]
        self._next = 0
        self._lines: list[str] = []
        self._end = 0  # where in the source the last thing written ends
        self._blank_wanted = False
        self._line_open = False  # whether the last line may still take a comment
        self._block_begins = True
        self.unsettled = False  # whether a comment stood inside an expression, and so may have moved

    def commented(self, span: Span) -> bool:
        """Return whether comments stand inside `span`, so that it cannot be written on one line."""
        at = bisect_left(self._starts, span.start)
        inside = at < len(self._starts) and self._starts[at] < span.end
        self.unsettled = self.unsettled or inside
        return inside

    def source_of(self, span: Span) -> str:
        return self._text[span.start : span.end]

    def blank_line(self) -> None:
        """Begin the next line, or the comment above it, after a blank line."""
        self._blank_wanted = True

    def line(self, depth: int, text: str, span: Span) -> None:
        """One line that stands for `span` of the source."""
        self._comments_before(span.start, depth)
        self._append(depth, text, span)
        self._line_open = True

    def lines(self, lines: list[Line]) -> None:
        for line in lines:
            self.line(*line)

    def open_block(self, depth: int, text: str, span: Span) -> None:
        self.line(depth, text, span)
        self._block_begins = True

    def close_block(self, depth: int, span: Span) -> None:
        """Write the brace at the end of `span`."""
        end = Span(max(span.end - 1, 0), span.end)
        self._comments_before(end.start, depth + 1)
        self._block_begins = True  # no blank line before the brace
        self._blank_wanted = False
        self._append(depth, "}", end)
        self._line_open = True

    def finish(self) -> str:
        self._comments_before(len(self._text) + 1, 0)
        return "".join(line + "\n" for line in self._lines)

    def _comments_before(self, offset: int, depth: int) -> None:
        while self._next < len(self._comments) and self._starts[self._next] < offset:
            comment = self._comments[self._next]
            self._next += 1
            if not comment.own_line and self._line_open:
                self._lines[-1] += f"  {comment.text}"
                self._end = comment.span.end
                self._line_open = False
            else:
                self._append(depth, comment.text, comment.span)
                self._line_open = False

    def _append(self, depth: int, text: str, span: Span) -> None:
        blank = self._blank_wanted or _BLANK.search(self._text, self._end, max(span.start, self._end)) is not None
        if blank and not self._block_begins:
            self._lines.append("")
        self._blank_wanted = self._block_begins = False
        self._lines.append(" " * (depth * INDENT) + text)
        self._end = max(span.end, self._end)

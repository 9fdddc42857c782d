"""Convert between offsets of a policy text and positions of the protocol, which count UTF-16 units."""

from __future__ import annotations

from lsprotocol import types

from policy_engine.model.source import Source, Span


def position_of(source: Source, offset: int) -> types.Position:
    """Return the position of an offset."""
    line, column = source.position(offset)
    before = source.line_text(line)[: column - 1]
    return types.Position(
        line - 1, len(before) if before.isascii() else len(before.encode("utf-16-le", "replace")) // 2
    )


def range_of(source: Source, span: Span) -> types.Range:
    """Return the range of a span."""
    return types.Range(position_of(source, span.start), position_of(source, max(span.start, span.end)))


def offset_of(source: Source, position: types.Position) -> int:
    """Return the offset of a position; one behind the end of a line or text is that end."""
    lines = source.text.count("\n") + 1
    if position.line >= lines:
        return len(source.text)
    text = source.line_text(position.line + 1)
    start = source.line_start(position.line + 1)
    if text.isascii():
        return start + min(position.character, len(text))
    units = 0
    for number, char in enumerate(text):
        if units >= position.character:
            return start + number
        units += 2 if ord(char) > 0xFFFF else 1
    return start + len(text)


def whole(source: Source) -> types.Range:
    """Return the range of a whole text."""
    return range_of(source, Span(0, len(source.text)))

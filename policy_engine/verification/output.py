"""Normalise a program's output: no terminal escapes, bounded, one sort of line end."""

from __future__ import annotations

import re

from policy_engine.model.limits import VERIFY_HEAD_BYTES, VERIFY_LINE_CHARS, VERIFY_LINES, VERIFY_TAIL_BYTES

_ESCAPES = re.compile(
    "(?:\x1b\\[|\x9b)[0-?]{0,64}[ -/]{0,8}[@-~]"  # colours, cursor movements
    "|\x1b\\][^\x07\x1b\n]{0,2048}(?:\x07|\x1b\\\\)"  # titles, links
    "|\x1b[ -/]{0,8}[0-~]"  # character sets and the rest
)
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x9f]")


def plain(text: str) -> str:
    """Return the text without escapes and control characters; a carriage return ends a line."""
    if len(text) > VERIFY_HEAD_BYTES + VERIFY_TAIL_BYTES:
        text = f"{text[:VERIFY_HEAD_BYTES]}\n{text[-VERIFY_TAIL_BYTES:]}"
    text = _ESCAPES.sub("", text)
    return _CONTROLS.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def cut(text: str, most: int) -> str:
    """Return the text, or its beginning and `…`."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


class Output:
    """Plain text and its lines, at most VERIFY_LINES of VERIFY_LINE_CHARS; `commands` is what was run."""

    __slots__ = ("commands", "lines", "text")

    def __init__(self, text: str, commands: tuple[tuple[str, ...], ...] = ()) -> None:
        self.text = text
        lines = text.split("\n")
        if len(lines) > VERIFY_LINES:
            lines = [*lines[: VERIFY_LINES // 4], *lines[-(VERIFY_LINES - VERIFY_LINES // 4) :]]
        self.lines = [cut(line.rstrip(), VERIFY_LINE_CHARS) for line in lines]
        self.commands = commands

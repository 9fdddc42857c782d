"""Decode the bytes of a policy file, and report encodings and characters that hide something."""

from __future__ import annotations

import re
import unicodedata
from itertools import islice

from policy_engine.model.diagnostic import Diagnostic
from policy_engine.model.limits import POLICY_FILE_BYTES
from policy_engine.model.source import Source, Span
from policy_engine.syntax import messages
from policy_engine.syntax.tokens import GIVE_UP

_HIDDEN = re.compile("[\x00-\x08\x0b\x0d-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
_LINE_ENDS = "\r\x85\u2028\u2029"
_DIRECTIONS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


def read_text(name: str, content: bytes) -> tuple[Source | None, list[Diagnostic]]:
    """Return the text with LF line ends and without a byte order mark; None if it cannot be read at all.

    `name` is the path as it is shown to people. The characters themselves are looked at by `parse`.
    """
    if len(content) > POLICY_FILE_BYTES:
        return None, [messages.file_too_large(Source(name, ""), len(content))]
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as problem:
        before = content[: problem.start].decode("utf-8").replace("\r\n", "\n")
        shown = Source(name, before + content[problem.start :].decode("utf-8", "replace").replace("\r\n", "\n"))
        place = Span(len(before), len(before) + 1)
        return None, [messages.not_utf8(shown, place, content[problem.start])]
    return Source(name, text.removeprefix("\ufeff").replace("\r\n", "\n")), []


def odd_characters(source: Source) -> list[Diagnostic]:
    """Complaints about characters that are allowed nowhere, not even in strings and comments."""
    text = source.text
    diagnostics = []
    for match in islice(_HIDDEN.finditer(text), GIVE_UP):
        char, span = match[0], Span(*match.span())
        if char in _LINE_ENDS:
            diagnostics.append(messages.line_end(source, span))
        elif char in _DIRECTIONS:
            diagnostics.append(messages.direction_mark(source, span))
        elif char == "\ufeff":
            diagnostics.append(messages.byte_order_mark(source, span))
        else:
            diagnostics.append(messages.control_character(source, span))
    if not text.isascii() and not unicodedata.is_normalized("NFC", text):
        diagnostics += _not_composed(source)
    return diagnostics


def _not_composed(source: Source) -> list[Diagnostic]:
    """One complaint for each line that is not in normal form C, at its first such character."""
    diagnostics = []
    start = 0
    for line in source.text.split("\n"):
        if not unicodedata.is_normalized("NFC", line):
            diagnostics.append(messages.not_normalised(source, _first_odd(line, start)))
            if len(diagnostics) > GIVE_UP:
                break
        start += len(line) + 1
    return diagnostics


def _first_odd(line: str, offset: int) -> Span:
    """Return the first character, with the marks on it, that normal form C writes in another way."""
    at = 0
    while at < len(line):
        end = at + 1
        while end < len(line) and unicodedata.combining(line[end]):
            end += 1
        if not unicodedata.is_normalized("NFC", line[at:end]):
            return Span(offset + at, offset + end)
        at = end
    return Span(offset, offset + len(line))

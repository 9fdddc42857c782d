"""Escapes in the inside of `$'…'`, and in what `echo -e` and `printf` print.

Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.undecided import Undecided

_LETTERS = {
    "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v",
    "\\": "\\", "'": "'", '"': '"', "?": "?",
}  # fmt: skip
_HEX = "0123456789abcdefABCDEF"


def ansi_c(text: str, place: int, end: int) -> tuple[str, int]:
    """The value up to the closing quote, and the offset behind it; characters are bytes. Raises Undecided."""
    pieces: list[str] = []
    while place < end:
        char = text[place]
        if char == "'":
            value = shown("".join(pieces))
            if "\0" in value:
                raise Undecided("a word contains NUL")
            return value, place + 1
        if char == "\\":
            char, place = escaped(text, place + 1)
            pieces.append(char)
        else:
            pieces.append(char)
            place += 1
    raise Undecided("the quote $' is not closed")


def escaped(text: str, place: int, octal_zero: bool = False) -> tuple[str, int]:
    """The bytes of the escape whose letter is at `place`, and the offset behind it.

    `octal_zero`: octal digits need a leading zero, as for `echo -e`.
    """
    letter = text[place : place + 1]
    if letter in _LETTERS and letter:
        return _LETTERS[letter], place + 1
    if letter in ("x", "u", "U"):
        digits = _digits(text, place + 1, {"x": 2, "u": 4, "U": 8}[letter], _HEX)
        if digits:
            code = int(digits, 16)
            if letter != "x" and (code > 0x10FFFF or 0xD800 <= code < 0xE000):
                raise Undecided("an escape names no character")
            value = chr(code) if letter == "x" else chr(code).encode().decode("latin-1")
            return value, place + 1 + len(digits)
    elif letter == "c" and place + 1 < len(text):
        return chr(ord(text[place + 1].upper()) & 0x1F), place + 2
    elif letter and letter in "01234567" and not (octal_zero and letter != "0"):
        digits = _digits(text, place, 4 if octal_zero else 3, "01234567")
        return chr(int(digits, 8) & 0xFF), place + len(digits)
    return "\\" + letter, place + len(letter)


def _digits(text: str, place: int, most: int, allowed: str) -> str:
    end = place
    while end < len(text) and end < place + most and text[end] in allowed:
        end += 1
    return text[place:end]


def shown(text: str) -> str:
    """The text of which each character is a byte."""
    return text if text.isascii() else text.encode("latin-1").decode("utf-8", "surrogateescape")

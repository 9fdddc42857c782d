"""Divide JavaScript or TypeScript into tokens.

Imported by the hook path when a line carries such code.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_OPERATORS = (
    ">>>=", "...", "===", "!==", "**=", "<<=", ">>=", ">>>", "&&=", "||=", "??=",
    "=>", "==", "!=", "<=", ">=", "&&", "||", "??", "?.", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=",
    "<<", ">>", "**",
)  # fmt: skip
_NAME_START = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_$#@")
_BEFORE_REGEX = frozenset(
    (
        "( , = : [ ! & | ? { } ; + - * % ~ ^ < > => == === != !== <= >= && || ?? += -= *= /= %= &= |= ^= << >> >>> ** "
        "... return typeof case in of delete void throw new else do instanceof await yield"
    ).split()
)
_BREAKS = "\n\r\u2028\u2029"
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v"}
_MOST_DEPTH = 16


class NotRead(Exception):
    """The text is not understood as JavaScript."""


class Token:
    """One token. `kind`: name, text, template, number, regex, sign, end. `line`: a line break stands before it."""

    __slots__ = ("kind", "value", "line")

    def __init__(self, kind: str, value: Any, line: bool) -> None:
        self.kind = kind
        self.value = value
        self.line = line


def tokens_of(code: str, depth: int = 0) -> list[Token]:
    """Return the tokens of a text. Raises NotRead."""
    if depth > _MOST_DEPTH:
        raise NotRead
    tokens: list[Token] = []
    place, end, line = 0, len(code), False
    if code[:2] == "#!":
        place = _line_end(code, 0)
    while place < end:
        char = code[place]
        if _is_blank(char):
            line = line or char in _BREAKS
            place += 1
            continue
        if char == "/" and code[place + 1 : place + 2] == "/":
            place = _line_end(code, place)
            continue
        if char == "/" and code[place + 1 : place + 2] == "*":
            closing = code.find("*/", place + 2)
            if closing < 0:
                raise NotRead
            line = line or any(char in _BREAKS for char in code[place:closing])
            place = closing + 2
            continue
        token, place = _token(code, place, tokens, line, depth)
        tokens.append(token)
        line = False
    return tokens


def _is_blank(char: str) -> bool:
    return char.isspace() or char == "\ufeff"


def _line_end(code: str, place: int) -> int:
    return min(found if (found := code.find(char, place)) >= 0 else len(code) for char in _BREAKS)


def _name(code: str, place: int) -> tuple[str, int]:
    """The name that begins at `place`, its escapes decoded (`rm\\u0053ync`), and where it ends."""
    made: list[str] = []
    while place < len(code):
        char = code[place]
        if char == "\\" and code[place + 1 : place + 2] == "u":
            char, place = _escape(code, place + 1)
        elif char in _NAME_START or char.isalnum() or not (char.isascii() or _is_blank(char)):
            place += 1
        else:
            break
        made.append(char)
    return "".join(made), place


def _token(code: str, place: int, before: list[Token], line: bool, depth: int) -> tuple[Token, int]:
    char = code[place]
    if char in _NAME_START or char == "\\" or not char.isascii():
        name, stop = _name(code, place)
        if stop == place:
            raise NotRead
        return Token("name", name, line), stop
    if char.isdigit() or (char == "." and code[place + 1 : place + 2].isdigit()):
        stop = place
        while stop < len(code) and (code[stop].isalnum() or code[stop] in "._"):
            stop += 1
        return Token("number", code[place:stop], line), stop
    if char in "'\"":
        text, stop = _text(code, place + 1, char)
        return Token("text", text, line), stop
    if char == "`":
        parts, stop = _template(code, place + 1, depth)
        return Token("template", parts, line), stop
    if char == "/" and _regex_may_begin(before):
        stop = _regex(code, place + 1)
        return Token("regex", None, line), stop
    for sign in _OPERATORS:
        if code.startswith(sign, place):
            return Token("sign", sign, line), place + len(sign)
    return Token("sign", char, line), place + 1


def _regex_may_begin(before: list[Token]) -> bool:
    if not before:
        return True
    last = before[-1]
    return last.kind in ("sign", "name") and last.value in _BEFORE_REGEX


def _regex(code: str, place: int) -> int:
    in_class = False
    while place < len(code):
        char = code[place]
        if char == "\\":
            place += 1
        elif char == "\n":
            raise NotRead
        elif char == "[":
            in_class = True
        elif char == "]":
            in_class = False
        elif char == "/" and not in_class:
            place += 1
            while place < len(code) and code[place].isalpha():
                place += 1
            return place
        place += 1
    raise NotRead


def _escape(code: str, place: int) -> tuple[str, int]:
    """The text of an escape whose letter stands at `place`, and where it ends."""
    char = code[place : place + 1]
    digits = ""
    if char == "x":
        digits, stop = code[place + 1 : place + 3], place + 3
    elif char == "u" and code[place + 1 : place + 2] == "{":
        stop = code.find("}", place) + 1
        digits = code[place + 2 : stop - 1]
    elif char == "u":
        digits, stop = code[place + 1 : place + 5], place + 5
    elif char == "\n":
        return "", place + 1
    else:
        return _ESCAPES.get(char, char), place + 1
    try:
        number = int(digits, 16)
        return (chr(number) if 0 < number < 0x110000 else "\ufffd"), stop
    except ValueError:
        raise NotRead from None


def _text(code: str, place: int, quote: str) -> tuple[str, int]:
    made: list[str] = []
    while place < len(code):
        char = code[place]
        if char == "\\":
            text, place = _escape(code, place + 1)
            made.append(text)
            continue
        if char == quote:
            return "".join(made), place + 1
        if char == "\n":
            raise NotRead
        made.append(char)
        place += 1
    raise NotRead


def _template(code: str, place: int, depth: int) -> tuple[list[Any], int]:
    """The parts of a template: texts, and the tokens of what stands in `${…}`."""
    parts: list[Any] = []
    made: list[str] = []
    while place < len(code):
        char = code[place]
        if char == "\\":
            text, place = _escape(code, place + 1)
            made.append(text)
        elif char == "`":
            parts.append("".join(made))
            return parts, place + 1
        elif code.startswith("${", place):
            parts.append("".join(made))
            made = []
            inner: list[Token] = []
            place += 2
            nested = 0
            while True:
                while place < len(code) and _is_blank(code[place]):
                    place += 1
                if place >= len(code) or depth > _MOST_DEPTH:
                    raise NotRead
                if code[place] == "}" and not nested:
                    place += 1
                    break
                token, place = _token(code, place, inner, False, depth + 1)
                if token.kind == "sign":
                    nested += {"{": 1, "}": -1}.get(token.value, 0)
                inner.append(token)
            parts.append(inner)
        else:
            made.append(char)
            place += 1
    raise NotRead

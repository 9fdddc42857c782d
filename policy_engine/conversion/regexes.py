"""Convert a regular expression of Python or JavaScript to a literal that RE2 reads alike, or say why there is none."""

from __future__ import annotations

import re
import unicodedata

from policy_engine.analysis.regex_language import sample
from policy_engine.analysis.regular import TooHard
from policy_engine.checker.tree import RegexPattern
from policy_engine.conversion.writing import Inexpressible, quoted
from policy_engine.model.regexes import regex_problem, search

_PIECE = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|.", re.S)
_OPEN_COUNT = re.compile(r"\{,(?=[0-9]+\})")


def regex(pattern: str, ignore_case: bool = False) -> str:
    """Return the literal, such as `/a\\/b/i`. Raises Inexpressible for what RE2 does not have."""
    problem = regex_problem(translated(pattern))
    if problem is not None:
        raise Inexpressible(f"the regex {quoted(pattern)} is not one of RE2's: {problem[1]}")
    text = "".join(_written(piece) for piece in re.findall(r"\\.|.", translated(pattern), re.S))
    if not unicodedata.is_normalized("NFC", text):
        text = "".join(char if char.isascii() else f"\\x{{{ord(char):x}}}" for char in text)
    return f"/{text or '(?:)'}/{'i' if ignore_case else ''}"


def translated(pattern: str) -> str:
    """Return the pattern in RE2's terms: there `$` means the very end, and a count has a lower bound."""
    several_lines = re.search(r"\(\?[a-z]*m", pattern) is not None
    pieces = []
    for piece in _PIECE.findall(pattern):
        if piece == "$" and not several_lines:
            piece = r"(?:\n?$)"
        elif piece == r"\Z":
            piece = r"\z"
        pieces.append(piece)
    return _OPEN_COUNT.sub("{0,", "".join(pieces))


def _written(piece: str) -> str:
    """Return a character, or an escaped one, as it may stand between slashes."""
    char = piece[-1]
    if char == "/":
        return "\\/"
    return piece if char.isprintable() else f"\\x{{{ord(char):x}}}"


def example(pattern: str, ignore_case: bool = False) -> str | None:
    """Return a text in which the regex is found, if one is easily made."""
    try:
        text = sample(RegexPattern(translated(pattern), ignore_case))
    except (TooHard, RecursionError):
        return None
    text = "".join(char if char.isprintable() else " " for char in text)
    return text if matches(pattern, text, ignore_case) else None


def matches(pattern: str, text: str, ignore_case: bool = False) -> bool:
    """Return whether the regex is found in the text."""
    return search((translated(pattern), ignore_case), text)

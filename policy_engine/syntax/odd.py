"""A token that no policy may contain → what was meant, if that can be told, and a complaint about it."""

from __future__ import annotations

import re

from policy_engine.model.diagnostic import Diagnostic
from policy_engine.model.source import Source, Span
from policy_engine.syntax import character_complaints as characters
from policy_engine.syntax import word_complaints as words

_SIGNS = {
    "&&": "and", "&": "and", "∧": "and", "||": "or", "|": "or", "∨": "or", "!": "not", "¬": "not", "===": "==",
    "!==": "!=", "≠": "!=", "<>": "!=", "=<": "<=", "≤": "<=", "≥": ">=", "->": "=>", "→": "=>", "⇒": "=>", ":=": "=",
    ";": "",
}  # fmt: skip
_KINDS = {
    "and": "AND", "or": "OR", "not": "NOT", "==": "EQUAL", "!=": "UNEQUAL", "<=": "AT_MOST", ">=": "AT_LEAST",
    "=>": "ARROW", "=": "ASSIGN",
}  # fmt: skip
_REPORTED_ELSEWHERE = re.compile(r"[\r\v\x1c-\x1f\x85\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]+")
Replacement = tuple[str, str] | None


def replace_odd(source: Source, kind: str, text: str, span: Span) -> tuple[Replacement, Diagnostic | None]:
    """(kind, text) of the token that was meant, or None if it means nothing; and the complaint.

    The complaint is None where the scan of characters already makes one.
    """
    if kind == "ODD_SIGN":
        meant = _SIGNS[text]
        return ((_KINDS[meant], meant) if meant else None), words.wrong_sign(source, span, meant)
    if kind == "ODD_WORD":
        meant = re.sub("[^a-z0-9_-]", "", text.lower()).strip("_") or "x"
        return ("NAME", meant), words.odd_word(source, span, meant)
    if kind == "ODD_NUMBER":
        duration = text[-1].isalpha()
        return ("DURATION", "1s") if duration else ("INT", "1"), words.malformed_number(source, span)
    if kind == "ODD_COMMENT":
        return None, words.wrong_comment(source, span)
    if kind == "ODD_SPACE":
        reported = _REPORTED_ELSEWHERE.fullmatch(text)
        return None, None if reported else characters.odd_space(source, span)
    return _quoted_or_other(source, kind, text, span)


def _quoted_or_other(source: Source, kind: str, text: str, span: Span) -> tuple[Replacement, Diagnostic | None]:
    if kind == "ODD_QUOTED":
        return ("STRING", '"?"'), words.wrong_quotes(source, span)
    if kind == "ODD_STRING":
        return ("STRING", '"?"'), words.unterminated_string(source, span)
    if kind == "ODD_REGEX":
        return ("REGEX", "/x/"), words.unterminated_regex(source, span)
    if not text.isprintable():
        return None, None
    return None, characters.odd_character(source, span)

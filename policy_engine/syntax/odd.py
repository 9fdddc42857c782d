"""Report a token that no policy may contain, with what was meant if that can be told."""

from __future__ import annotations

import re

from policy_engine.model.diagnostic import Diagnostic
from policy_engine.model.source import Source, Span
from policy_engine.syntax import messages
from policy_engine.syntax.diagnostic_builder import KIND_WORDS, POINT_WORDS, nearest

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
_AFTER_ON = re.compile(r"\bon\s+$")
_IN_FILTER = re.compile(r"\bon\s+\w+\s*\([^()]*$")
Replacement = tuple[str, str] | None


def replace_odd(source: Source, kind: str, text: str, span: Span) -> tuple[Replacement, Diagnostic | None]:
    """(kind, text) of the token that was meant, or None if it means nothing; and the complaint.

    The complaint is None where the scan of characters already makes one.
    """
    if kind == "ODD_SIGN":
        meant = _SIGNS[text]
        return ((_KINDS[meant], meant) if meant else None), messages.wrong_sign(source, span, meant)
    if kind == "ODD_WORD":
        parted = re.sub("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", text)
        meant = re.sub("[^a-z0-9_-]", "", parted.lower()).strip("_-") or "x"
        return ("NAME", meant), messages.odd_word(source, span, meant, _other_name(source, text, span))
    if kind == "ODD_NUMBER":
        duration = text[-1].isalpha()
        return ("DURATION", "1s") if duration else ("INT", "1"), messages.malformed_number(source, span)
    if kind == "ODD_COMMENT":
        return None, messages.wrong_comment(source, span)
    if kind == "ODD_SPACE":
        reported = _REPORTED_ELSEWHERE.fullmatch(text)
        return None, None if reported else messages.odd_space(source, span)
    return _quoted_or_other(source, kind, text, span)


def _other_name(source: Source, text: str, span: Span) -> str:
    """Return what a lifecycle point or tool of another system is called here, as advice; empty for other words."""
    line = source.text[source.text.rfind("\n", 0, span.start) + 1 : span.start]
    if _AFTER_ON.search(line):
        meant = nearest(text, POINT_WORDS)
        return f"the lifecycle point is `{meant}`" if meant else ""
    if not _IN_FILTER.search(line):
        return ""
    meant = nearest(text, KIND_WORDS)
    own = f'the tool\'s own name stands in quotes: `"{text}"`'
    return f"write `{meant}` for the kind of tool; {own}" if meant else own


def _quoted_or_other(source: Source, kind: str, text: str, span: Span) -> tuple[Replacement, Diagnostic | None]:
    if kind == "ODD_QUOTED":
        return ("STRING", '"?"'), messages.wrong_quotes(source, span)
    if kind == "ODD_STRING":
        return ("STRING", '"?"'), messages.unterminated_string(source, span)
    if kind == "ODD_REGEX":
        return ("REGEX", "/x/"), messages.unterminated_regex(source, span)
    if not text.isprintable():
        return None, None
    return None, messages.odd_character(source, span)

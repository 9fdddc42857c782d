"""Code, place and words → a `Diagnostic`; a misspelt word and the known ones → advice."""

from __future__ import annotations

from collections.abc import Iterable

from policy_engine.model.diagnostic import Diagnostic, Related
from policy_engine.model.source import Source, Span

SHOWN_CHARS = 40


def error(
    code: str, source: Source, span: Span, message: str, advice: str = "", related: tuple[Related, ...] = ()
) -> Diagnostic:
    """An error at a place of a text."""
    return Diagnostic(code, "error", message, source, span, advice, "", related)


def nearest(word: str, known: Iterable[str]) -> str:
    """The known word that `word` most looks like, or an empty string. Looks only when something is wrong."""
    from difflib import get_close_matches

    lowered = word.lower()
    words = sorted(known)
    found = get_close_matches(lowered, words, 1, 0.6) or get_close_matches(lowered.replace("-", "_"), words, 1, 0.6)
    return found[0] if found else ""


def listing(words: Iterable[str]) -> str:
    """`a, b or c` of words that are already as they shall be shown."""
    shown = list(words)
    return shown[0] if len(shown) == 1 else ", ".join(shown[:-1]) + f" or {shown[-1]}" if shown else "nothing"


def quoted(text: str) -> str:
    """The user's text in backticks, cut where it would fill the line, without characters that cannot be seen."""
    cut = text[:SHOWN_CHARS]
    visible = "".join(char if char.isprintable() else f"\\u{ord(char):04x}" for char in cut)
    return f"`{visible}…`" if len(text) > SHOWN_CHARS else f"`{visible}`"


def character_name(char: str) -> str:
    """`U+00A0 NO-BREAK SPACE`, or the code point alone where Unicode gives no name."""
    import unicodedata

    known = {"\t": "tab", "\r": "carriage return", "\0": "null", "\x85": "next line", "\x0b": "vertical tab"}
    name = known.get(char) or unicodedata.name(char, "")
    return f"U+{ord(char):04X} {name}".rstrip()

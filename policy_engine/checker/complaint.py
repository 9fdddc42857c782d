"""Code, place and words → a `Diagnostic`; a misspelt word and the known ones → advice."""

from __future__ import annotations

from collections.abc import Iterable

from policy_engine.checker.tree import Place
from policy_engine.model.diagnostic import Diagnostic, Related
from policy_engine.syntax.complaint import listing as plain_listing
from policy_engine.syntax.complaint import nearest as nearest_word


def error(
    code: str, place: Place, message: str, advice: str = "", related: tuple[tuple[str, Place], ...] = ()
) -> Diagnostic:
    """An error at a place; `related` are other places with what they have to do with it."""
    others = tuple(Related(text, other.source, other.span) for text, other in related)
    return Diagnostic(code, "error", message, place.source, place.span, advice, "", others)


def nearest(word: str, known: Iterable[str], otherwise: str = "") -> str:
    """`did you mean …?` with the nearest known word, or `otherwise`. Looks only when something is wrong."""
    words = sorted(known)
    found = nearest_word(word, words)
    if not found:
        last = word.rpartition(".")[2]
        found = next((known_word for known_word in words if known_word.rpartition(".")[2] == last), "")
    return f"did you mean `{found}`?" if found and found != word else otherwise


def listing(words: Iterable[str]) -> str:
    """`a`, `b` or `c`, in backticks."""
    return plain_listing(f"`{word}`" for word in words)

"""Quote words for a shell, marks of unknown parts included: `shlex` costs the hook path a regular expression."""

from __future__ import annotations


def quote_words(words: list[str]) -> str:
    """Return the words as a line that a shell reads back as the same words."""
    return " ".join("'" + word.replace("'", "'\\''") + "'" for word in words)

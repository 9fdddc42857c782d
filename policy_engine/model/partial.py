"""Text of which a part cannot be known: marks within a plain `str` that no argument and no path can contain.

A mark starts with NUL. Whatever cuts, joins or compares such text keeps the mark, and whatever resolves it as a path
raises Undecided, so that nobody takes the rest for the whole by accident. Imported by the hook path.
"""

from __future__ import annotations

ONE = "\0?"  # any text, within this one word
MANY = "\0@"  # any text, which may also end this word and begin others, or leave no word at all
DIGITS = "\0#"  # a number: one digit or more, or nothing
GLOB = "\0*"  # what follows is a pattern for the names of files, up to the end of the word


UNKNOWN_PART = "…"  # what stands for a mark in a text for people


def is_known(text: str) -> bool:
    """Whether there is no mark in it."""
    return "\0" not in text


def may_be_option(text: str) -> bool:
    """Whether a word may turn out to be an option, or to be no word or several: it begins, or splits, unknown."""
    return text[:2] == ONE or MANY in text


def glob_folder(text: str) -> str | None:
    """The longest literal folder of a word whose only unknown part is a glob; None for any other word."""
    head, mark, _ = text.partition(GLOB)
    if not mark or "\0" in head or ONE in text or MANY in text:
        return None
    folder, slash, _ = head.rpartition("/")
    return folder + slash or "."


def shown(text: str) -> str:
    """The text for people: `…` for what is unknown, globs as they were written."""
    return text.replace(GLOB, "").replace(ONE, UNKNOWN_PART).replace(MANY, UNKNOWN_PART).replace(DIGITS, "…")

"""Text of which a part cannot be known: marks within a plain `str` that no argument and no path can contain.

A mark starts with NUL. Whatever cuts, joins or compares such text keeps the mark, and whatever resolves it as a path
raises Undecided, so that nobody takes the rest for the whole by accident. Imported by the hook path.
"""

from __future__ import annotations

ONE = "\0?"  # any text, within this one word
MANY = "\0@"  # any text, which may also end this word and begin others, or leave no word at all
DIGITS = "\0#"  # a number: one digit or more, or nothing
NUMBER = "\0d"  # one digit or more
NAME = "\0n"  # letters, digits and `._:@+-`: one at least, the first a letter or digit
ENTRY = "\0e"  # the name of an entry of a folder: not empty, no `.`, `..` or slash
VISIBLE = "\0v"  # as ENTRY, and does not begin with a dot: what a pattern of the shell fits
PIECE = "\0p"  # a part of such a name, or nothing
FOLDER = "\0f"  # what follows is the folder that a substitution printed: of a place that is deleted whole no proof
BRANCH = "\0b"  # the name of a branch: as NAME, with slashes in it
PARENT = "\0h"  # the number of the process that started the shell: the agent, or what stands before it
FOUND = "\0w"  # the folder in which the shell finds the program whose name follows: as FOLDER, but a part of the path
GLOB = "\0*"  # what follows is a pattern for the names of files, up to the end of the word


# for a part of a component that is not known, in the place of a path
LOOSE, LOOSE_NUMBER, LOOSE_VISIBLE = "\0?", "\0#", "\0v"
SETTLED = "\uf8fe"  # the same, for one name that no pattern spells out
UNKNOWN_PART = "…"  # what stands for a mark in a text for people


def is_known(text: str) -> bool:
    """Return whether there is no mark in it."""
    return "\0" not in text


def may_be_option(text: str) -> bool:
    """Return whether a word may be an option, none or several: it begins, or splits, unknown."""
    return text[:2] == ONE or MANY in text


def is_hidden(text: str) -> bool:
    """Return whether a word may be anything: no letter and no digit of it is known."""
    return may_be_option(text) and not any(map(str.isalnum, shown(text)))


def glob_folder(text: str) -> str | None:
    """The longest literal folder of a word whose only unknown part is a glob; None for any other word."""
    head, mark, _ = text.partition(GLOB)
    if not mark or "\0" in head or ONE in text or MANY in text:
        return None
    folder, slash, _ = head.rpartition("/")
    return folder + slash or "."


_WILD = "*?]"


def fitted(text: str) -> str:
    """Return a mark for the last name of what a pattern of the shell fits, ENTRY where it may be hidden."""
    last = text.rstrip("/").rpartition("/")[2].removeprefix(GLOB)
    first = last[:1]
    return VISIBLE if "(" not in last and (first.isalnum() or (first and first in "*?[_")) else ENTRY


def name_fitted(text: str) -> str:
    """Return a mark for the last name of what a pattern of the shell fits, with the end that each such name has."""
    last = text.rstrip("/").rpartition("/")[2]
    end = last[max(map(last.rfind, _WILD)) + 1 :] if "(" not in last and "{" not in last else ""
    return (VISIBLE if fitted(text) == VISIBLE else PIECE) + end if end.strip(".") else fitted(text)


def folder_fitted(text: str) -> str:
    """Return the folder of what a pattern of the shell fits, ONE where that may be another."""
    folder, slash, last = text.rpartition("/")
    if slash and is_known(folder) and folder.strip("/") and is_component(last):
        return folder
    plain = folder.replace(GLOB, "", 1)
    if not slash or not plain.strip("/") or "\0" in plain or "(" in folder or not last.strip("."):
        return ONE
    return plain if {"*", "?", "["}.isdisjoint(plain) or GLOB not in folder else folder


def entry_for(pattern: str) -> str:
    """Return what stands for a name that a pattern of `fnmatch` fits: ENTRY, or its known parts with PIECE between."""
    made, _, rest = pattern.replace("[", "\0").partition("\0")
    while rest:
        _, _, rest = rest.partition("]")
        more, _, rest = rest.partition("\0")
        made += "*" + more
    return made.replace("?", "*").replace("*", PIECE) if made.strip("*?") else ENTRY


def shown(text: str) -> str:
    """The text for people: `…` for what is unknown, globs as they were written."""
    head, *pieces = text.replace(GLOB, "").replace(PARENT, "$PPID").split("\0")
    return head + "".join(UNKNOWN_PART + piece[1:] for piece in pieces)


def is_one_field(text: str) -> bool:
    """Return whether what is not known in a text is never divided into words, outside quotes either."""
    for mark in (PARENT, DIGITS, NUMBER, NAME, BRANCH, FOLDER, FOUND):
        text = text.replace(mark, "")
    return "\0" not in text


def is_component(text: str) -> bool:
    """Return whether a component is a name, whatever its unknown parts are: not empty, no `.`, `..` or slash."""
    known = text.replace(PARENT, NUMBER).replace(DIGITS, "").replace(PIECE, "")
    rest = known.replace(NAME, "").replace(NUMBER, "").replace(ENTRY, "").replace(VISIBLE, "")
    named = any(mark in known for mark in (NAME, NUMBER, VISIBLE)) or known == ENTRY
    return "\0" not in rest and (bool(rest.strip(".")) or named)


def as_pattern(text: str) -> str:
    """Return a text with `LOOSE` or its kin for each part that is not known."""
    text = text.replace(PARENT, NUMBER).replace(NUMBER, LOOSE_NUMBER).replace(DIGITS, LOOSE_NUMBER)
    text = text.replace(VISIBLE, LOOSE_VISIBLE)
    for mark in (NAME, ENTRY, PIECE):
        text = text.replace(mark, LOOSE)
    return text


_QUOTING = frozenset("'\\`")
_BEFORE_NUMBER = (" ", "-", '"', "/", ".", "_")


def spelled(code: str) -> str:
    """Return code of a shell with variables that are numbers in the place of those that were expanded in it."""
    if is_known(code) or not _QUOTING.isdisjoint(code):
        return code
    for mark, variable in ((DIGITS, "$!"), (NUMBER, "$$")):
        pieces = code.split(mark)
        if all(piece[-1:] in _BEFORE_NUMBER for piece in pieces[:-1]):
            code = variable.join(pieces)
    return code

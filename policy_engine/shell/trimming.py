"""`${x%pattern}`, `${x#pattern}`, `${x//pattern/text}`: what is left of a value, as far as pattern and value are known.

Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.partial import ONE, PIECE, VISIBLE, fitted, folder_fitted, glob_folder, is_known, name_fitted

_ACTIVE = frozenset("*?[]{}()$`'\"\\|!@+~")
_MOST = 512  # characters of a value that is cut at each place


def sliced(value: str, operation: str) -> str:
    """Return the part of a value that `${x:1:2}` takes; a mark if that is not known."""
    first, colon, length = operation[1:].partition(":")
    numbers = [text.strip().strip("()").strip() or "0" for text in (first, length)]
    if not is_known(value) or not all(number.removeprefix("-").isdecimal() for number in numbers):
        return ONE
    start, count = (int(number) for number in numbers)
    if start < -len(value):
        return ""
    start = start if start >= 0 else len(value) + start
    end = len(value) if not colon else count if count < 0 else start + count
    return value[start:end]


def trimmed(value: str, side: str, pattern: str, longest: bool) -> str:
    """Return a value without its end (`%`) or beginning (`#`) that a pattern fits; a mark if that is not known.

    Args:
        value: the value, which may stand for the names that a pattern fits.
        side: `%` or `#`.
        pattern: literal, or literal with one `*` at the end that is not cut (`*/`, `/*`, `.*`); of a known value, any
            with `*` and `?`.
        longest: whether as much as possible goes.
    """
    literal = pattern.removesuffix("*") if side == "%" else pattern.removeprefix("*")
    if is_known(value) and not _ACTIVE.isdisjoint(literal):
        return _trimmed(value, side, pattern, longest)
    if not literal or not _ACTIVE.isdisjoint(literal):
        return ONE
    wild = literal != pattern
    if is_known(value):
        if not wild:
            return value.removesuffix(literal) if side == "%" else value.removeprefix(literal)
        if literal not in value:
            return value
        if side == "%":
            return value.partition(literal)[0] if longest else value.rpartition(literal)[0]
        return value.rpartition(literal)[2] if longest else value.partition(literal)[2]
    if pattern == "/*" and side == "%" and not longest:
        return folder_fitted(value)
    folder = glob_folder(value)
    if folder is None or "/" in value[len(folder) if folder != "." else 0 :]:
        return ONE
    if pattern == "*/" and side == "#" and longest:
        return name_fitted(value)  # the name of what the pattern of the value fits
    if side == "%" and "/" not in literal:
        name = VISIBLE if literal[0] == "." and fitted(value) == VISIBLE else PIECE  # it is never cut whole
        return name if folder == "." else f"{folder}{name}"
    return ONE


def _trimmed(value: str, side: str, pattern: str, longest: bool) -> str:
    """Return what is left of a known value where each `*` and `?` of the pattern stands for characters."""
    if len(value) > _MOST or not _ACTIVE.isdisjoint(pattern.replace("*", "").replace("?", "")):
        return ONE
    from fnmatch import fnmatchcase

    cuts = range(len(value) + 1) if (side == "%") == longest else range(len(value), -1, -1)
    for cut in cuts:
        kept, gone = (value[:cut], value[cut:]) if side == "%" else (value[cut:], value[:cut])
        if fnmatchcase(gone, pattern):
            return kept
    return value


def replaced(value: str, operation: str) -> str:
    """Return a value with a text in the place of another (`/a/b`, `//a/b` everywhere); a mark if that is not known.

    Args:
        value: the value.
        operation: what stands behind the name, of which the pattern is literal.
    """
    every = operation[:2] == "//"
    pattern, _, text = operation[1 + every :].replace("\\/", "\0").partition("/")
    pattern = pattern.replace("\0", "/")
    anchor = pattern[:1] if not every and pattern[:1] in ("#", "%") else ""
    pattern = pattern.removeprefix(anchor)
    if not pattern or pattern[0] in "#%" or not (_ACTIVE | {"&"}).isdisjoint(pattern + text) or "\0" in text:
        return ONE
    if anchor and is_known(value):
        if anchor == "#":
            return text + value.removeprefix(pattern) if value.startswith(pattern) else value
        return value.removesuffix(pattern) + text if value.endswith(pattern) else value
    if is_known(value):
        return value.replace(pattern, text, -1 if every else 1)
    if anchor:
        return ONE
    if every and pattern == "/":
        return PIECE
    split = _split(value)
    if split is None or "/" in pattern:
        return ONE
    head, name = split
    if not every and pattern in head:
        return head.replace(pattern, text, 1) + name
    mark, end = name[:2], name[2:]
    if "/" in text or pattern in end or any(end.startswith(pattern[place:]) for place in range(len(pattern))):
        return ONE
    kept = mark == VISIBLE and text[:1] not in (".", "-") and text.strip(".")
    return head.replace(pattern, text) + (mark if kept else PIECE) + end


def cased(value: str, operation: str) -> str:
    """Return a value in capitals or small letters (`^`, `^^`, `,`, `,,`); a mark if that is not known."""
    change = str.upper if operation[0] == "^" else str.lower
    every = operation in ("^^", ",,")
    if not (every or operation in ("^", ",")) or not value.isascii():
        return ONE
    if is_known(value):
        return change(value) if every else change(value[:1]) + value[1:]
    split = _split(value)
    if split is None:
        return ONE
    head, name = split
    return change(head) + name[:2] + change(name[2:]) if every else change(head[:1]) + head[1:] + name


def _split(value: str) -> tuple[str, str] | None:
    """The folder and the name of what a value with a pattern in its last name stands for; None for any other."""
    folder = glob_folder(value)
    head = "" if folder is None or folder == "." else folder
    return None if folder is None or "/" in value[len(head) :] else (head, name_fitted(value))

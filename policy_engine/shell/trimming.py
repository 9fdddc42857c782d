"""`${x%pattern}` and `${x#pattern}`: what is left of a value, as far as the pattern and the value are known.

Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.partial import ENTRY, ONE, PIECE, glob_folder, is_known

_ACTIVE = frozenset("*?[]{}()$`'\"\\|!@+~")


def trimmed(value: str, side: str, pattern: str, longest: bool) -> str:
    """Return a value without its end (`%`) or beginning (`#`) that a pattern fits; a mark if that is not known.

    Args:
        value: the value, which may stand for the names that a pattern fits.
        side: `%` or `#`.
        pattern: literal, or literal with one `*` at the end that is not cut (`*/`, `/*`, `.*`).
        longest: whether as much as possible goes.
    """
    literal = pattern.removesuffix("*") if side == "%" else pattern.removeprefix("*")
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
    folder = glob_folder(value)
    if folder is None or "/" in value[len(folder) if folder != "." else 0 :]:
        return ONE
    if pattern == "*/" and side == "#" and longest:
        return ENTRY  # the name of what the pattern of the value fits
    if pattern == "/*" and side == "%" and folder != ".":
        return folder.rstrip("/") or "/"
    if side == "%" and "/" not in literal:
        return PIECE if folder == "." else f"{folder}{PIECE}"
    return ONE

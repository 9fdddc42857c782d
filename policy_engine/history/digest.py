"""Digest a tool's output so that times, durations and addresses do not change the digest.

Repeat detection must see through volatile text: one changing time stamp would hide a cycle for ever. Numbers with a
unit of time, clock times, dates and words that begin with `0x` are replaced; everything else counts, at any length.
"""

from __future__ import annotations

from _blake2 import blake2b

_UNITS = ("ms", "s", "sec", "secs", "second", "seconds", "min", "mins", "minutes", "m", "us", "µs", "ns")
_DIGITS = frozenset("0123456789")
_NO_DIGITS = str.maketrans("", "", "0123456789")


def text_digest(text: str) -> str:
    """Return 32 hexadecimal digits; words that measure time or name addresses are replaced by `·` first."""
    return _digest(_lasting(text))


def signature(text: str) -> str:
    """As `text_digest`, without any digit: a failure that moved to another line or came a second time is the same."""
    return _digest(_lasting(text).translate(_NO_DIGITS))


def _lasting(text: str) -> str:
    words = text.split()
    volatile = [
        at for at, word in enumerate(words)
        if not _DIGITS.isdisjoint(word) and _volatile(word, words[at + 1] if at + 1 < len(words) else "")
    ]  # fmt: skip
    for at in volatile:
        words[at] = "·"
    return " ".join(words)


def _digest(text: str) -> str:
    result: str = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    return result


def _volatile(word: str, following: str) -> bool:
    """Return whether a word with a digit measures time or names an address."""
    core = word.strip("()[]{},;.!?'\"")
    if core.startswith("0x") and len(core) > 4:
        return True
    digits = core.rstrip("abcdefghijklmnopqrstuvwxyzµ")
    unit = core[len(digits) :]
    plain = digits.replace(".", "").replace(",", "")
    if plain.isdigit():
        return unit in _UNITS or (not unit and following.strip("()[]{},;.!?") in _UNITS)
    return _is_clock(core)


def _is_clock(core: str) -> bool:
    """Return whether it has the form of a clock time or a date: `10:00:01`, `2026-11-20`, `2026-11-20T10:00:00Z`."""
    shape = "".join("d" if char.isdigit() else char for char in core)
    return "dd:dd" in shape or "dddd-dd-dd" in shape or "dddd/dd/dd" in shape

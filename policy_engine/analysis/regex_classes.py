"""Character classes of RE2's syntax by name, and a set of characters without regard to case."""

from __future__ import annotations

from policy_engine.analysis.regular import WORD, Ranges, TooHard, inverted

_DIGIT: Ranges = ((48, 57),)
_SPACE: Ranges = ((9, 10), (12, 13), (32, 32))
_UPPER: Ranges = ((65, 90),)
_LOWER: Ranges = ((97, 122),)

ESCAPES: dict[str, Ranges] = {
    "d": _DIGIT,
    "D": inverted(_DIGIT),
    "s": _SPACE,
    "S": inverted(_SPACE),
    "w": WORD,
    "W": inverted(WORD),
}
POSIX: dict[str, Ranges] = {
    "alnum": _DIGIT + _UPPER + _LOWER,
    "alpha": _UPPER + _LOWER,
    "ascii": ((0, 127),),
    "blank": ((9, 9), (32, 32)),
    "cntrl": ((0, 31), (127, 127)),
    "digit": _DIGIT,
    "graph": ((33, 126),),
    "lower": _LOWER,
    "print": ((32, 126),),
    "punct": ((33, 47), (58, 64), (91, 96), (123, 126)),
    "space": ((9, 13), (32, 32)),
    "upper": _UPPER,
    "word": WORD,
    "xdigit": (*_DIGIT, (65, 70), (97, 102)),
}
_NAMED = {"a": 7, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11}
_KELVIN, _LONG_S = 0x212A, 0x017F  # they fold to `k` and `s`
_CASELESS_ABOVE = 0x1F000  # signs and pictures: no letters with a case


def escaped_character(text: str, at: int) -> tuple[int, int]:
    """Read what follows a backslash at `at`. Return (code point, place after it). Raises TooHard for what is no
    character.
    """
    char = text[at]
    if char in _NAMED:
        return _NAMED[char], at + 1
    if char == "x":
        if text[at + 1] == "{":
            end = text.index("}", at)
            return int(text[at + 2 : end], 16), end + 1
        return int(text[at + 1 : at + 3], 16), at + 3
    if char in "01234567":
        end = at + 1
        while end < at + 3 and end < len(text) and text[end] in "01234567":
            end += 1
        return int(text[at:end], 8), end
    if char.isascii() and char.isalnum():
        raise TooHard  # a Unicode property, a single byte
    return ord(char), at + 1


def folded(ranges: Ranges) -> Ranges:
    """Return the set with every letter in both cases. Raises TooHard for letters with a case beyond ASCII."""
    with_other_case = list(ranges)
    for low, high in ranges:
        if high > 127 and not (low <= 128 and high >= _CASELESS_ABOVE):
            for code in range(max(low, 128), min(high, low + 2000) + 1):
                char = chr(code)
                if char.lower() != char or char.upper() != char:
                    raise TooHard
            if high - low > 2000:
                raise TooHard
        for first, last, shift in ((65, 90, 32), (97, 122, -32)):
            start, end = max(low, first), min(high, last)
            if start <= end:
                with_other_case.append((start + shift, end + shift))
        for letter, sign in ((107, _KELVIN), (115, _LONG_S)):
            if low <= letter <= high or low <= letter - 32 <= high:
                with_other_case.append((sign, sign))
    return tuple(with_other_case)

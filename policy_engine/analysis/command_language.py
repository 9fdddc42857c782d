"""Compare command patterns: whether one describes every command that another does, or none; with an example.

Tokens are walked as automata over words. Where two words with stars cannot be compared at a glance nothing is claimed.
"""

from __future__ import annotations

from policy_engine.analysis.sequences import within
from policy_engine.checker.tree import CommandPattern
from policy_engine.shell.patterns import argv_matches, word_matches

Tokens = tuple[str, ...]
_MANY = ("...", "-*")


def covers(wide: CommandPattern, narrow: CommandPattern) -> bool:
    """Return whether every command of `narrow` is certainly one of `wide`."""
    if wide.cwd is not None and wide.cwd != narrow.cwd:
        return False
    return all(covers_tokens(wide, tokens, narrow.exclude) for tokens in narrow.include)


def covers_tokens(wide: CommandPattern, tokens: Tokens, left_out: tuple[Tokens, ...] = ()) -> bool:
    """Return whether `wide` certainly covers one alternative without `left_out`; the folder is not looked at."""
    if not any(_within(tokens, other) for other in wide.include):
        return False
    return all(_apart(tokens, other) or any(_within(other, known) for known in left_out) for other in wide.exclude)


def disjoint(one: CommandPattern, other: CommandPattern) -> bool:
    """Return whether certainly no command is in both."""
    return all(_apart(tokens, others) for tokens in one.include for others in other.include)


def example(tokens: Tokens, left_out: tuple[Tokens, ...] = ()) -> str:
    """Return a command line that the tokens describe, or an empty text if none is found at a glance."""
    plain = [word.replace("*", "x") for word in tokens if word not in _MANY]
    for argv in (plain, [*plain, "x"], [*plain, "-x"]):
        words = tuple(argv)
        if words and argv_matches(tokens, words) and not any(argv_matches(other, words) for other in left_out):
            return " ".join(f"'{word}'" if " " in word else word for word in words)
    return ""


def _within(narrow: Tokens, wide: Tokens) -> bool:
    """Return whether every argv of `narrow` is one of `wide`."""
    return within(narrow, wide, _MANY, _covers_word, _absorbs)


def _covers_word(token: str, word: str) -> bool:
    """Return whether `token` covers `word`, in which a star is read as a sign that only a star of `token` covers."""
    if token == "*":
        return True
    return word not in _MANY and word != "*" and word_matches(token, word)


def _absorbs(token: str, word: str) -> bool:
    return token == "..." or (word[:1] == "-" and word != "...")


def _apart(one: Tokens, other: Tokens) -> bool:
    """No argv is in both; two words with stars are taken to share one."""
    seen = {(0, 0)}
    waiting = [(0, 0)]
    while waiting:
        left, right = waiting.pop()
        if left == len(one) and right == len(other):
            return False
        for reached in _together(one, left, other, right):
            if reached not in seen:
                seen.add(reached)
                waiting.append(reached)
    return True


def _together(one: Tokens, left: int, other: Tokens, right: int) -> list[tuple[int, int]]:
    pairs = []
    first = one[left] if left < len(one) else ""
    second = other[right] if right < len(other) else ""
    if first in _MANY:
        pairs.append((left + 1, right))
    if second in _MANY:
        pairs.append((left, right + 1))
    if left < len(one) and right < len(other) and _share(first, second):
        pairs.append((left + (first not in _MANY), right + (second not in _MANY)))
    return pairs


def _share(first: str, second: str) -> bool:
    """Return whether one word may be described by both tokens."""
    for token, word in ((first, second), (second, first)):
        if token in ("...", "*"):
            return True
        if token == "-*" and word not in ("...", "*"):
            return word[:1] in "-*"
    if "*" in first and "*" in second:
        return True
    return word_matches(first, second) if "*" in first else word_matches(second, first)

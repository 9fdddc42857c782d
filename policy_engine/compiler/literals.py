"""Find texts that every match of a regular expression must contain; for the index only.

RE2 syntax is close to Python's; where Python's own parser does not understand a pattern there is no literal and the
rule is simply not indexed. Never wrong, at worst slow.
"""

from __future__ import annotations

import re._constants as code  # type: ignore[import-not-found]
import re._parser as parser  # type: ignore[import-not-found]

from policy_engine.checker.tree import RegexPattern

CHOICES = 4
# Python's parser reads `[[:alpha:]]` as a set and a bracket, and warns of these other doubtful sets.
_DOUBTFUL = ("[[", "[:", "--", "&&", "||", "~~")
_COMMON = " etaoinshrdlucmfwypvbgk./_-"


def required_literals(pattern: RegexPattern) -> tuple[tuple[str, ...], bool]:
    """(literals, folded): `folded` literals are compared case-folded on both sides; the rarest ones first."""
    first_set = pattern.pattern.find("[")
    if first_set >= 0 and any(sign in pattern.pattern[first_set:] for sign in _DOUBTFUL):
        return (), False
    try:
        parsed = parser.parse(pattern.pattern)
    except Exception:  # any parser failure only costs the index
        return (), False
    folded = pattern.ignore_case or bool(parsed.state.flags & code.SRE_FLAG_IGNORECASE)
    runs = _runs(parsed)
    if folded:
        runs = [run for run in runs if run.isascii()]
    runs.sort(key=rarity, reverse=True)
    return tuple(run.casefold() if folded else run for run in runs[:CHOICES]), folded


def rarity(text: str) -> float:
    """Higher is rarer: long texts and uncommon characters."""
    return sum(1.0 + (_COMMON.find(char) if char in _COMMON else 30) / 10 for char in text.lower())


def _runs(sequence: object) -> list[str]:
    """Maximal literal runs that every match of the sequence contains."""
    runs: list[str] = []
    current = ""
    for operator, argument in sequence:  # type: ignore[attr-defined]
        if operator is code.LITERAL:
            current += chr(argument)
            continue
        inner: list[str] = []
        if operator is code.SUBPATTERN and not argument[1] and not argument[2]:
            inner = _runs(argument[3])
        elif operator in (code.MAX_REPEAT, code.MIN_REPEAT) and argument[0] >= 1:
            inner = _runs(argument[2])
        elif operator is code.AT:
            continue
        runs.extend((current, *inner))
        current = ""
    runs.append(current)
    return [run for run in runs if run]

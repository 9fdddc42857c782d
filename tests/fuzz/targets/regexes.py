"""Bytes as a regex and a text, split at a line end → what Python's own regexes say, where both mean the same."""

from __future__ import annotations

import re

from policy_engine.checker.tree import RegexPattern
from policy_engine.compiler.keys import required_literals
from policy_engine.model.regexes import RegexError, regex_problem, search

SEEDS = tuple(
    f"{regex}\n{text}".encode()
    for regex, text in (
        ("a+b?c*", "xaac"),
        ("^(foo|bar)$", "bar"),
        ("[a-c]x", "cx"),
        ("(?i)k\\d{2,3}", "K12"),
        ("\\bword\\b", "a word"),
        ("(?=a)", "a"),
        ("(a)\\1", "aa"),
        ("[[:alpha:]]+", "x1"),
        ("a{1001}", "a"),
        ("(", "("),
        ("", ""),
        ("a||b", "b"),
        ("(?s).", "\u2028"),
        ("\\pL", "\u00e9"),
        ("secret|token", "my token"),
        ("x*?y+?", "xy"),
        ("(a*)*", "b"),
    )
)
# what both mean alike
_SHARED = re.compile(r"(?:[a-z0-9 .|()^]|[a-z0-9.)][*+?]|\[\^?[a-z](?:-[a-z])?\]|\\[.()\[\]*+?])*")
MOST = 24  # characters of a pattern and of a text that Python's matcher is asked for: it backtracks


def target(data: bytes) -> None:
    text, _, subject = data.decode("utf-8", "surrogateescape").partition("\n")
    problem = regex_problem(text)
    if problem is not None:
        assert 0 <= problem[0] <= len(text) and problem[1], problem
        return
    for ignore_case in (False, True):
        try:
            found = search((text, ignore_case), subject)
        except RegexError as refused:
            raise AssertionError(f"{text!r} was taken and is refused: {refused}") from refused
        literals, folded = required_literals(RegexPattern(text, ignore_case))
        if found and not any("\ud800" <= char <= "\udfff" for char in subject):
            compared = subject.casefold() if folded else subject
            assert all(literal in compared for literal in literals), (text, subject, literals)
        ours = _python(text, ignore_case)
        if ours is not None and subject.isascii() and len(text) <= MOST and len(subject) <= MOST:
            assert bool(ours.search(subject)) is found, (text, subject, found)


def _python(text: str, ignore_case: bool) -> re.Pattern[str] | None:
    if not _SHARED.fullmatch(text) or "**" in text or "++" in text or "?+" in text or "*+" in text:
        return None
    try:
        return re.compile(text, re.IGNORECASE | re.ASCII if ignore_case else re.ASCII)
    except re.error:
        return None

"""The automaton of a regex finds what RE2 finds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy_engine.analysis.regex_language import matches_nothing, regex_automaton
from policy_engine.analysis.regular import TooHard, find
from policy_engine.checker.tree import RegexPattern
from policy_engine.model.regexes import RegexError, regex_problem, search

LEAVES = (
    "a b c _ - é . ^ $ [ab] [^a] [^\\n] \\w \\W \\d \\s \\b \\B \\n \\x41 \\x{e9} [[:upper:]] [^[:alpha:]] \\. \\Qa.\\E"
    " (?i:k) (?m:^a$) (?s:.) [a-c_] [\\d-] k \\A \\z"
).split(" ")
REPEATS = st.sampled_from("* + ? {2} {0,2} {1,} *? +?".split())
PATTERNS = st.recursive(
    st.sampled_from(LEAVES),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map(lambda pair: f"(?:{pair[0]}|{pair[1]})"),
        st.tuples(inner, st.sampled_from("* + ? {2} {0,2} {1,} *? +?".split())).map(
            lambda pair: f"(?:{pair[0]}){pair[1]}"
        ),
    ),
    max_leaves=6,
)
TEXTS = st.text("abcABCkKs_-. 1é\n\u212a\u017f", max_size=6)


def _finds(pattern: RegexPattern, text: str) -> bool:
    automaton = regex_automaton(pattern)
    states, before = frozenset((0,)), "start"
    for char in text:
        states = automaton.step(states, before, char)
        before = (
            "newline" if char == "\n" else "word" if char.isascii() and (char.isalnum() or char == "_") else "other"
        )
    return automaton.accepts(states, before)


@given(PATTERNS, st.booleans(), TEXTS)
def test_the_automaton_agrees_with_re2(text: str, ignore_case: bool, subject: str) -> None:
    pattern = RegexPattern(text, ignore_case)
    if regex_problem(text) is not None:
        return
    try:
        found = _finds(pattern, subject)
    except TooHard:
        return
    assert found == search(pattern, subject)


@given(PATTERNS, TEXTS)
def test_a_regex_that_matches_nothing_is_found_in_no_text(text: str, subject: str) -> None:
    pattern = RegexPattern(text)
    if regex_problem(text) is None and matches_nothing(pattern):
        assert not search(pattern, subject)


@given(PATTERNS, PATTERNS)
def test_a_witness_is_what_it_is_asked_to_be(one: str, other: str) -> None:
    patterns = [RegexPattern(one), RegexPattern(other)]
    try:
        witness = find([regex_automaton(pattern) for pattern in patterns], lambda accepted: accepted == (True, False))
        answers = None if witness is None else [search(pattern, witness) for pattern in patterns]
    except (TooHard, RegexError):
        return
    assert answers in (None, [True, False])


@pytest.mark.parametrize(
    ("pattern", "empty"),
    [
        ("a^", True),
        ("$a", True),
        ("[^\\s\\S]", True),
        ("a\\bb", True),
        ("(?m)$\\n^a", False),
        ("$^", False),
        ("(a^)?b", False),
        ("(a^)+b", True),
        ("[[:alpha:]]^", True),
        ("x{3}$", False),
        ("a{2,1000}", False),
    ],
)
def test_empty_languages(pattern: str, empty: bool) -> None:
    assert matches_nothing(RegexPattern(pattern)) is empty


@pytest.mark.parametrize("pattern", ["\\pL^", "(?i)é", "\\C^"])
def test_what_is_not_modelled_is_said_to_be_too_hard(pattern: str) -> None:
    with pytest.raises(TooHard):
        regex_automaton(RegexPattern(pattern))
    assert matches_nothing(RegexPattern(pattern)) is False

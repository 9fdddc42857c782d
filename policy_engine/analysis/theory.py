"""Find literals of a clause that can never be true together."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from policy_engine.analysis import glob_language
from policy_engine.analysis.literals import Among, Clause, Exists, Literal, Range, Text, Truth, Words
from policy_engine.analysis.order import as_regex, excludes, guess, passes
from policy_engine.analysis.regex_language import matches_nothing, regex_automaton
from policy_engine.analysis.regular import TooHard, find
from policy_engine.analysis.terms import Term
from policy_engine.checker.tree import GlobPattern

Conflict = tuple[Literal, ...]
_CANDIDATES = ("", "x", "main", "a-b")


def impossible(form: Iterable[Clause]) -> Conflict | None:
    """Return the conflict of the first way if no way can be true (empty if there is no way at all), else None."""
    first: Conflict | None = ()
    for clause in form:
        conflicting = conflict(clause)
        if conflicting is None:
            return None
        first = first or conflicting
    return first


def conflict(clause: Clause) -> Conflict | None:
    """Literals of the clause that exclude each other, in the order of the text; None if none are known to."""
    for literal in clause:
        if _alone(literal):
            return (literal,)
    for one, other in combinations(sorted(clause, key=place), 2):
        if one.term.key == other.term.key or isinstance(one.test, Truth | Words) or isinstance(other.test, Words):
            if excludes(one, other):
                return (one, other)
    by_term: dict[Term, list[Literal]] = {}
    for literal in sorted(clause, key=place):
        by_term.setdefault(literal.term, []).append(literal)
    for term, literals in by_term.items():
        if _together(term, literals):
            return tuple(literals)
    return None


def place(literal: Literal) -> tuple[str, int]:
    return literal.expr.place.source.name, literal.expr.place.span.start


def _alone(literal: Literal) -> bool:
    """Return whether a test is one that nothing passes."""
    match literal.test:
        case Exists(clause=clause):
            return literal.positive and conflict(clause) is not None
        case Range() as test:
            return _empty(bounded(literal.term, (test,)), literal.term.whole, frozenset())
        case Among(values=values):
            return _among_alone(literal.term, values, literal.positive)
        case Text() as test:
            return _text_alone(literal.term, test, literal.positive)
    return False


def _among_alone(term: Term, values: frozenset[object], positive: bool) -> bool:
    if term.members is not None:
        inside = {value for value in values if value in term.members}
        return not inside if positive else len(inside) == len(term.members)
    if positive and values and all(type(value) is int for value in values):
        return all(_empty(bounded(term, (Range(v, v),)), term.whole, frozenset()) for v in values if type(v) is int)
    return positive and not values


def _text_alone(term: Term, test: Text, positive: bool) -> bool:
    if isinstance(test.value, GlobPattern):
        return False
    if isinstance(test.value, str):
        return not positive and not test.value and not term.loose
    if positive:
        return matches_nothing(test.value)
    if not all(passes(text, test) for text in _CANDIDATES):
        return False
    try:
        return find((regex_automaton(test.value),), lambda accepted: not accepted[0]) is None
    except TooHard:
        return False


# ---- several literals of one term ----------------------------------------------------------------------------------


def _together(term: Term, literals: list[Literal]) -> bool:
    """Return whether three or more literals of one term exclude each other, no two of which do."""
    if len(literals) < 2:
        return False
    sets = [one.test.values for one in literals if isinstance(one.test, Among) and one.positive]
    if sets or term.members is not None:
        left = remaining(term, literals, sets)
        return left is not None and not left
    ranges = [one.test for one in literals if isinstance(one.test, Range)]
    if ranges:
        gone = frozenset[object]().union(*left_out(literals))
        return _empty(bounded(term, ranges), term.whole, gone)
    return texts(literals) is None


def left_out(literals: list[Literal]) -> list[frozenset[object]]:
    return [one.test.values for one in literals if isinstance(one.test, Among) and not one.positive]


def remaining(term: Term, literals: list[Literal], sets: list[frozenset[object]]) -> list[object] | None:
    """Return the values that pass every test; None if there is a test that cannot be tried on a value."""
    values = set(term.members or ()) if not sets else set(sets[0]).intersection(*sets)
    possible = []
    for value in sorted(values, key=repr):
        answers = [_tried(value, literal) for literal in literals]
        if all(answer is not False for answer in answers):
            possible.append(value)
    return possible


def _tried(value: object, literal: Literal) -> bool | None:
    match literal.test:
        case Among(values=values):
            return (value in values) is literal.positive
        case Range() as test if type(value) is int:
            return not _empty(bounded(literal.term, (test, Range(value, value))), True, frozenset())
        case Text() as test if isinstance(value, str) and not isinstance(test.value, GlobPattern):
            return passes(value, test) is literal.positive
    return None


def bounded(term: Term, ranges: Iterable[Range]) -> Range:
    """Return the intersection of ranges and of what the term is by nature."""
    low, low_open, high, high_open = term.low, False, term.high, False
    for test in ranges:
        if test.low is not None and (low is None or (test.low, test.low_open) > (low, low_open)):
            low, low_open = test.low, test.low_open
        if test.high is not None and (high is None or (test.high, not test.high_open) < (high, not high_open)):
            high, high_open = test.high, test.high_open
    return Range(low, high, low_open, high_open)


def _empty(test: Range, whole: bool, gone: frozenset[object]) -> bool:
    if test.low is None or test.high is None:
        return False
    if test.low > test.high or (test.low == test.high and (test.low_open or test.high_open)):
        return True
    if test.low == test.high:
        return test.low in gone
    if not whole or test.high - test.low > 1000:
        return False
    first, last = test.low + test.low_open, test.high - test.high_open
    return all(value in gone for value in range(first, last + 1))


def texts(literals: list[Literal]) -> str | None:
    """Return a text that passes every test, "" also where nothing can be said; None if there is certainly none."""
    tests = [(one.test, one.positive) for one in literals if isinstance(one.test, Text)]
    if not tests or literals[0].term.loose:
        return ""
    gone = frozenset[object]().union(*left_out(literals))
    globs = [(test.value, positive) for test, positive in tests if isinstance(test.value, GlobPattern)]
    try:
        if globs:
            if len(globs) < len(tests) or not literals[0].term.exact or gone:
                return ""
            return glob_language.witness(tuple(globs)) if _folds_too(tuple(globs)) else ""
        if gone:
            return ""
        guessed = guess(tests)
        if guessed is not None:
            return guessed
        automata = tuple(regex_automaton(as_regex(test)) for test, _ in tests)
        wanted = tuple(positive for _, positive in tests)
        return find(automata, wanted.__eq__)
    except TooHard:
        return ""


def _folds_too(globs: tuple[tuple[GlobPattern, bool], ...]) -> bool:
    return glob_language.witness(globs, fold=True) is None

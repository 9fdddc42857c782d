"""Build an event that would make all of a clause true: the witness of a finding."""

from __future__ import annotations

from policy_engine.analysis import command_language, glob_language
from policy_engine.analysis.literals import Among, Clause, Exists, Literal, Options, Range, Text, Truth, Words
from policy_engine.analysis.regular import TooHard
from policy_engine.analysis.theory import bounded, left_out, place, remaining, texts
from policy_engine.checker.tree import GlobPattern


def example(clause: Clause) -> str:
    """Conditions joined by commas, each with a value where one is found, else in the user's words."""
    members = []
    by_term: dict[str, list[Literal]] = {}
    for literal in sorted(clause, key=place):
        by_term.setdefault(literal.term.key, []).append(literal)
    for key, literals in by_term.items():
        value = _value(literals)
        if value is not None and not key.startswith(("(", "#")):
            members.append(f"{key} = {value}")
        else:
            members += [_member(literal) or literal.text for literal in literals]
    return ", ".join(dict.fromkeys(members))


def _member(literal: Literal) -> str:
    """Return an element of `commands` or `paths` for which a quantifier holds, or an empty text."""
    if not isinstance(literal.test, Exists) or not literal.positive:
        return ""
    inner = [one for one in literal.test.clause if one.positive]
    if literal.term.key == "in commands":
        for one in inner:
            if isinstance(one.test, Words):
                line = command_language.example(one.test.pattern.include[0], one.test.pattern.exclude)
                return f"the command `{line}`" if line else ""
        names = [one for one in inner if one.term.key.endswith(".program") and isinstance(one.test, Among)]
        if len(names) == len(literal.test.clause) == 1:
            return f"the command `{_value(names) or ''}`".replace('"', "")
    if literal.term.key == "in paths" and len(literal.test.clause) == 1 and inner:
        test = inner[0].test
        if isinstance(test, Text) and isinstance(test.value, GlobPattern):
            path = _path(test.value)
            return f"the path `{path}`" if path else ""
    return ""


def _path(pattern: GlobPattern) -> str:
    easy = glob_language.samples(pattern)
    if easy:
        return easy[0]
    try:
        return glob_language.witness(((pattern, True),)) or ""
    except TooHard:
        return ""


def _value(literals: list[Literal]) -> str | None:
    """One value of a term that passes all tests, as it would be written; None if none is found."""
    term = literals[0].term
    if any(isinstance(one.test, Exists | Words | Options) for one in literals):
        return None
    if isinstance(literals[0].test, Truth):
        return None
    sets = [one.test.values for one in literals if isinstance(one.test, Among) and one.positive]
    if sets or term.members is not None:
        left = remaining(term, literals, sets)
        return _shown(left[0]) if left else None
    ranges = [one.test for one in literals if isinstance(one.test, Range)]
    if ranges:
        return _number(bounded(term, ranges), left_out(literals))
    text = texts(literals)
    return _shown(text) if text else None


def _number(test: Range, gone: list[frozenset[object]]) -> str | None:
    if test.low is not None:
        number = test.low + test.low_open
    elif test.high is not None:
        number = test.high - test.high_open
    else:
        return None
    return None if any(number in values for values in gone) else str(number)


def _shown(value: object) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    return str(value[1]).lower() if isinstance(value, tuple) else str(value)

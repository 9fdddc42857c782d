"""Tell whether a literal or a clause implies another, in three-valued logic.

*Implies* means: whenever the first is true the second is, and whenever the second is false the first is. So what is
undecided in one is at worst undecided in the other. Only what is certain is claimed; "no" means "not proved".
"""

from __future__ import annotations

from collections.abc import Sequence

from policy_engine.analysis import command_language, glob_language
from policy_engine.analysis.literals import NEVER, Among, Clause, Exists, Literal, Options, Range, Text, Truth, Words
from policy_engine.analysis.regex_language import regex_automaton, sample
from policy_engine.analysis.regular import TooHard, find
from policy_engine.analysis.terms import Term, atoms_key, key
from policy_engine.checker.tree import Atom, CommandPattern, GlobPattern, Happened, RegexPattern, Since
from policy_engine.model.regexes import RegexError, search
from policy_engine.model.types import STRING

PROGRAM = ".program"
"""What the term of a command's program has after that of the command."""


def clause_implies(one: Clause, other: Clause) -> bool:
    """Return whether every literal of the second follows from a literal of the first."""
    return all(any(implies(known, wanted) for known in one) for wanted in other)


def implies(one: Literal, other: Literal) -> bool:
    """One literal and another."""
    if one == other or (one.term.key == NEVER and one.positive):
        return True
    if one.term.key != other.term.key:
        return _related(one, other)
    if not one.positive and not other.positive:
        return _within(other, one)
    if one.positive and other.positive:
        return _within(one, other)
    return _apart(one, other) if one.positive else _fills(one, other)


def excludes(one: Literal, other: Literal) -> bool:
    """Return whether the two can never both be true."""
    return implies(one, other.opposite())


def _related(one: Literal, other: Literal) -> bool:
    """`p inside d` is `p under d` and more; what is asked of the past may be asked of a wider or narrower one; what
    matches a command pattern starts one of its programs.
    """
    if isinstance(one.test, Words) and one.positive:
        named = started_by(one)
        return named is not None and named.term == other.term and implies(named, other)
    if isinstance(other.test, Words) and not other.positive:
        return _related(other.opposite(), one.opposite())
    if not isinstance(one.test, Truth) or one.positive is not other.positive:
        return False
    inner, outer = (one, other) if one.positive else (other, one)
    if inner.term.key.startswith("inside("):
        return outer.term.key == f"under({inner.term.key.removeprefix('inside(')}"
    left, right = _past(inner)
    wide_left, wide_right = _past(outer)
    return bool(left and wide_left) and _atoms_within(left, wide_left) and _atoms_within(wide_right, right)


def started_by(literal: Literal) -> Literal | None:
    """Return that a command's program is one of those that the pattern of a literal names; None where it may be any."""
    lines = literal.test.pattern.include if isinstance(literal.test, Words) else ()
    if not lines or any("*" in words[0] or words[0] == "..." for words in lines):
        return None
    names = frozenset[object](words[0].rpartition("/")[2] for words in lines)
    return Literal(Term(f"{literal.term.key}{PROGRAM}", STRING), Among(names), True, literal.expr)


def _past(literal: Literal) -> tuple[tuple[Atom, ...], tuple[Atom, ...]]:
    """Return the atoms of which one has happened, and those after which it has to be; none if it asks otherwise."""
    match literal.expr:
        case Happened(atoms=atoms):  # split into a literal per atom
            return tuple(atom for atom in atoms if atoms_key((atom,), {}) == literal.term.key), ()
        case Since(left=left, right=right) if literal.term.key == key(literal.expr, {}):
            return left, right
    return (), ()


def _atoms_within(narrow: tuple[Atom, ...], wide: tuple[Atom, ...]) -> bool:
    """Detect whether each of the atoms is one of the others, or less than one of them."""
    return all(any(_atom_within(atom, other) for other in wide) for atom in narrow)


def _atom_within(narrow: Atom, wide: Atom) -> bool:
    if narrow.kind != wide.kind or narrow.value != wide.value or narrow.variable or wide.variable:
        return False
    match narrow.pattern, wide.pattern:
        case GlobPattern() as few, GlobPattern() as many:
            return glob_language.covers(many, few)
        case CommandPattern() as few, CommandPattern() as many if narrow.kind == "ran":
            return command_language.covers(many, few)
    return narrow.pattern == wide.pattern  # a wider run that is not proven would cancel a proven one


def _within(one: Literal, other: Literal) -> bool:
    """Both tests as positive ones: what passes the first passes the second."""
    match one.test, other.test:
        case Among(values=few), Among(values=many):
            return few <= many
        case Among(values=values), Range() as test:
            return all(type(value) is int and in_range(value, test) for value in values)
        case Among(values=values), Text() as test:
            return all(isinstance(value, str) and passes(value, test) for value in values)
        case Range() as narrow, Range() as wide:
            return _range_within(narrow, wide)
        case Range() as test, Among(values=values):
            return one.term.whole and test.low is not None and test.low == test.high and test.low in values
        case Text() as narrow, Text() as wide:
            return _text_within(narrow, wide, one)
        case Words(pattern=narrow), Words(pattern=wide):
            return command_language.covers(wide, narrow)
        case Options(names=few), Options(names=many):
            return few <= many
        case Exists(clause=narrow), Exists(clause=wide):
            return clause_implies(narrow, wide)
    return False


def _apart(one: Literal, other: Literal) -> bool:
    """Return what passes the first test never passes the second (which is meant negated)."""
    match one.test, other.test:
        case Among(values=values), Among(values=others):
            return not values & others
        case Range() as test, Among(values=values):
            return all(type(value) is int and not in_range(value, test) for value in values)
        case Text() as test, Among(values=values):
            return test.kind != "glob" and all(isinstance(v, str) and not passes(v, test) for v in values)
        case Among(values=values), Text() as test:
            return test.kind != "glob" and all(isinstance(v, str) and not passes(v, test) for v in values)
        case Text(kind="glob", value=GlobPattern() as first), Text(kind="glob", value=GlobPattern() as second):
            return one.term.exact and glob_language.disjoint(first, second)
        case Text() as first, Text() as second:
            return not one.term.loose and _texts_apart(first, second)
    return False


def _fills(one: Literal, other: Literal) -> bool:
    """Return whatever fails the first test passes the second: only a closed set of words is that small."""
    members = one.term.members
    if members is None or not isinstance(one.test, Among) or not isinstance(other.test, Among):
        return False
    return set(members) - one.test.values <= other.test.values


# ---- numbers -------------------------------------------------------------------------------------------------------


def in_range(value: int, test: Range) -> bool:
    """Return whether a number is within the bounds."""
    above = test.low is None or value > test.low or (value == test.low and not test.low_open)
    return above and (test.high is None or value < test.high or (value == test.high and not test.high_open))


def _range_within(narrow: Range, wide: Range) -> bool:
    low = wide.low is None or (
        narrow.low is not None
        and (narrow.low > wide.low or (narrow.low == wide.low and (narrow.low_open or not wide.low_open)))
    )
    high = wide.high is None or (
        narrow.high is not None
        and (narrow.high < wide.high or (narrow.high == wide.high and (narrow.high_open or not wide.high_open)))
    )
    return low and high


# ---- texts ---------------------------------------------------------------------------------------------------------


def passes(value: str, test: Text) -> bool:
    """Return whether one text passes; a glob is not tried, since a text is a path there."""
    match test.kind, test.value:
        case "part", str() as part:
            return part in value
        case "prefix", str() as part:
            return value.startswith(part)
        case "suffix", str() as part:
            return value.endswith(part)
        case "regex", RegexPattern() as pattern:
            return _found(pattern, value)
    return False


def _found(pattern: RegexPattern, value: str) -> bool:
    try:
        return search(pattern, value)
    except RegexError:
        return False


def _text_within(narrow: Text, wide: Text, literal: Literal) -> bool:
    match narrow.value, wide.value:
        case GlobPattern() as few, GlobPattern() as many:
            return glob_language.covers(many, few)
        case str() as known, str() as wanted:
            if wide.kind == narrow.kind:
                return passes(known, wide)
            return wide.kind == "part" and wanted in known
        case (GlobPattern(), _) | (_, GlobPattern()):
            return False
    return not literal.term.loose and _regular(narrow, True, wide, False)


def _texts_apart(one: Text, other: Text) -> bool:
    if isinstance(one.value, GlobPattern) or isinstance(other.value, GlobPattern):
        return False
    return _regular(one, True, other, True)


def _regular(one: Text, first: bool, other: Text, second: bool) -> bool:
    """Return whether no text passes (or fails) the one test and passes (or fails) the other."""
    if "part" == one.kind == other.kind and second:
        return False
    try:
        if guess(((one, first), (other, second))) is not None:
            return False
        automata = (regex_automaton(as_regex(one)), regex_automaton(as_regex(other)))
        return find(automata, (first, second).__eq__) is None
    except TooHard:
        return False


def guess(wanted: Sequence[tuple[Text, bool]]) -> str | None:
    """Return a text that passes and fails the tests as wanted, found without a search; None says nothing. Raises
    TooHard.
    """
    samples = [_sample(test) for test, passing in wanted if passing][:4] or [""]
    guesses = [*samples, *(one + joint + other for one in samples for other in samples for joint in ("", " "))]
    return next((text for text in guesses if all(passes(text, test) is passing for test, passing in wanted)), None)


def _sample(test: Text) -> str:
    return test.value if isinstance(test.value, str) else sample(as_regex(test))


def as_regex(test: Text) -> RegexPattern:
    """Return the test of a text as a regex. Raises TooHard for a glob."""
    if isinstance(test.value, RegexPattern):
        return test.value
    if isinstance(test.value, GlobPattern):
        raise TooHard
    quoted = "".join(char if char.isalnum() or ord(char) > 127 else f"\\x{{{ord(char):X}}}" for char in test.value)
    start = r"\A" if test.kind == "prefix" else ""
    return RegexPattern(f"{start}{quoted}" + (r"\z" if test.kind == "suffix" else ""))

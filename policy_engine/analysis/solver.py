"""Ask cvc5, an optional package, whether one form implies another.

The own proof (`order`) finds one literal that implies another; a solver also joins several: that `a == b` and `b == c`
make `a == c`, or that two rules together speak wherever a third one does.

Each term has a value and a bit that says whether it is known; a literal is true or false only if all its terms are
known, and undecided otherwise. What the fragment (numbers, texts, enumerations, JSON values that are compared for
equality) does not have is an unknown of its own, about which the solver is told what `order.implies` proves. Its steps
are bounded, not its time: a question has one answer on every machine.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import reduce
from itertools import permutations
from typing import Any

from policy_engine.analysis.literals import Among, Literal, Range, Text, Truth
from policy_engine.analysis.order import implies
from policy_engine.analysis.terms import Term, key, term
from policy_engine.checker import tree
from policy_engine.model.errors import ConfigurationError
from policy_engine.model.types import ARGUMENT, OPAQUE, STRING, EnumType

Entails = Callable[[list[frozenset[Literal]], list[frozenset[Literal]]], bool]
"""Tells whether the first form implies the second."""

STEPS = 2_000_000  # of cvc5, for one question; what needs more is not proved
LITERALS = 80  # of one question
_LAST_CHARACTER = 0x2FFFF  # of the texts of SMT-LIB
_TEXTS = {"part": "STRING_CONTAINS", "prefix": "STRING_PREFIX", "suffix": "STRING_SUFFIX"}
_OPERATORS = {"contains": "part", "starts_with": "prefix", "ends_with": "suffix"}


class _NotShared(Exception):
    """The literal is none of the fragment."""


def solver() -> Entails:
    """Return what asks cvc5. Raises ConfigurationError where it is not installed."""
    try:
        import cvc5
    except ImportError:
        raise ConfigurationError("`--solver` needs cvc5: pip install 'policy_engine[solver]'") from None

    def entails(one: list[frozenset[Literal]], other: list[frozenset[Literal]]) -> bool:
        if len(_literals(one, other)) > LITERALS:
            named = {name for literal in _literals(one) for name in _names(literal)}
            other = [clause for clause in other if all(_names(literal) & named for literal in clause)]
        literals = _literals(one, other)
        return bool(other) and len(literals) <= LITERALS and _Question(cvc5).entails(one, other, literals)

    return entails


def _literals(*forms: list[frozenset[Literal]]) -> set[Literal]:
    return {literal for form in forms for clause in form for literal in clause}


def _names(literal: Literal) -> set[str]:
    """Return the terms of a literal: what names another one may be unknown where this is true, and decides nothing."""
    node = literal.expr
    sides = (node.left, node.right) if isinstance(node, tree.Comparison) else ()
    return {literal.term.key, *(key(side, {}) for side in sides if not isinstance(side, tree.Constant))}


@dataclass(frozen=True, slots=True)
class _Bits:
    """Formulas of the solver: that a literal, clause or form is true, and that it is false."""

    true: Any
    false: Any


@dataclass(slots=True)
class _Question:
    """One question to the solver, with what is known of the terms that it names."""

    cvc5: Any
    terms: Any = field(init=False)
    asked: Any = field(init=False)
    known: dict[str, Any] = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict)
    bits: dict[Literal, _Bits] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.terms = self.cvc5.TermManager()
        self.asked = self.cvc5.Solver(self.terms)
        self.asked.setOption("rlimit", str(STEPS))
        self.asked.setLogic("QF_SLIRA")

    def entails(self, one: list[frozenset[Literal]], other: list[frozenset[Literal]], literals: set[Literal]) -> bool:
        """Return whether the second form is true where the first is, and the first false where the second is."""
        for first, second in permutations({each for one in literals for each in (one, one.opposite())}, 2):
            if implies(first, second):
                self._assert("IMPLIES", self._literal(first).true, self._literal(second).true)
                self._assert("IMPLIES", self._literal(second).false, self._literal(first).false)
        narrow, wide = self._form(one), self._form(other)
        missed = self._make("AND", narrow.true, self._not(wide.true))
        silent = self._make("AND", wide.false, self._not(narrow.false))
        self._assert("OR", missed, silent)
        return bool(self.asked.checkSat().isUnsat())

    def _form(self, form: list[frozenset[Literal]]) -> _Bits:
        clauses = [
            _Bits(self._all("AND", [one.true for one in literals]), self._all("OR", [one.false for one in literals]))
            for literals in ([self._literal(one) for one in clause] for clause in form)
        ]
        return _Bits(self._all("OR", [one.true for one in clauses]), self._all("AND", [one.false for one in clauses]))

    # ---- literals --------------------------------------------------------------------------------------------------

    def _literal(self, literal: Literal) -> _Bits:
        if literal not in self.bits:
            if not literal.positive:
                positive = self._literal(Literal(literal.term, literal.test, True, literal.expr))
                self.bits[literal] = _Bits(positive.false, positive.true)
            else:
                self.bits[literal] = self._positive(literal)
        return self.bits[literal]

    def _positive(self, literal: Literal) -> _Bits:
        operands: dict[str, Any] = {}
        try:
            condition = self._condition(literal, operands)
        except _NotShared:
            bits = _Bits(*(self.terms.mkConst(self.terms.getBooleanSort()) for _ in range(2)))
            self._assert("NOT", self._make("AND", bits.true, bits.false))
            return bits
        known = self._all("AND", list(operands.values()))
        return _Bits(self._make("AND", known, condition), self._make("AND", known, self._not(condition)))

    def _condition(self, literal: Literal, operands: dict[str, Any]) -> Any:
        """Return the test of a positive literal, and note the terms that it needs to know. Raises _NotShared."""
        match literal.test:
            case Range() as test if literal.term.whole:
                return self._within(self._value(literal.term, operands), test)
            case Among(values=values):
                value = self._value(literal.term, operands)
                each = [
                    self._make("EQUAL", value, self._constant(one, literal.term)) for one in sorted(values, key=repr)
                ]
                return self._all("OR", each)
            case Text(kind=kind, value=str() as text) if kind in _TEXTS and literal.term.type is STRING:
                return self._text(kind, self._value(literal.term, operands), self._constant(text, literal.term))
            case Truth():
                return self._comparison(literal, operands)
        raise _NotShared

    def _comparison(self, literal: Literal, operands: dict[str, Any]) -> Any:
        """Return a comparison of two terms, of which the literal's term is the canonical form (analysis/formula.py)."""
        node = literal.expr
        if not isinstance(node, tree.Comparison):
            raise _NotShared
        sides = [term(node.left, {}), term(node.right, {})]
        names = [side.key for side in sides]
        if literal.term.key == " == ".join(sorted(names)):
            return self._equal(sides, operands)
        if literal.term.key in (f"less({names[0]}, {names[1]})", f"less({names[1]}, {names[0]})"):
            if not all(side.whole for side in sides):
                raise _NotShared
            ordered = sides if literal.term.key == f"less({names[0]}, {names[1]})" else sides[::-1]
            return self._make("LT", *(self._operand(node, side, operands) for side in ordered))
        if literal.term.key == f"{node.op}({names[0]}, {names[1]})" and node.op in _OPERATORS:
            if not all(side.type is STRING for side in sides):
                raise _NotShared
            return self._text(_OPERATORS[node.op], *(self._operand(node, side, operands) for side in sides))
        raise _NotShared

    def _equal(self, sides: list[Term], operands: dict[str, Any]) -> Any:
        """Return the equality of two terms; a JSON value equals a text if it is one."""
        values = [self._value(side, operands) for side in sides]
        if {side.type is ARGUMENT for side in sides} == {True, False}:
            if not all(side.type in (ARGUMENT, STRING) for side in sides):
                raise _NotShared
            text = self.terms.mkString("s")
            values = [
                value if side.type is ARGUMENT else self._make("STRING_CONCAT", text, value)
                for side, value in zip(sides, values, strict=True)
            ]
        elif len({value.getSort() for value in values}) > 1:
            raise _NotShared
        return self._make("EQUAL", *values)

    def _operand(self, node: tree.Comparison, side: Term, operands: dict[str, Any]) -> Any:
        for expr in (node.left, node.right):
            if isinstance(expr, tree.Constant) and key(expr, {}) == side.key:
                return self._constant(expr.value, side)
        return self._value(side, operands)

    # ---- terms -----------------------------------------------------------------------------------------------------

    def _value(self, of: Term, operands: dict[str, Any]) -> Any:
        """Return the value of a term, and note that it has to be known. Raises _NotShared."""
        if not (of.whole or of.type in (STRING, ARGUMENT, OPAQUE) or isinstance(of.type, EnumType)):
            raise _NotShared
        if of.key not in self.values:
            sort = self.terms.getIntegerSort() if of.whole else self.terms.getStringSort()
            self.values[of.key] = value = self.terms.mkConst(sort)
            self.known[of.key] = self.terms.mkConst(self.terms.getBooleanSort())
            if of.whole:
                self.asked.assertFormula(self._within(value, Range(of.low, of.high)))
            if of.members is not None:
                each = [self._make("EQUAL", value, self._constant(one, of)) for one in of.members]
                self.asked.assertFormula(self._all("OR", each))
        operands[of.key] = self.known[of.key]
        return self.values[of.key]

    def _constant(self, value: object, of: Term) -> Any:
        """Return a constant as a value of the term's sort; JSON values carry their type. Raises _NotShared."""
        if of.whole and type(value) is int:
            return self.terms.mkInteger(value)
        if of.type is ARGUMENT:
            return self._string(f"s{value}" if isinstance(value, str) else f"o{value!r}")
        if isinstance(value, str) and not of.whole:
            return self._string(value)
        raise _NotShared

    def _string(self, text: str) -> Any:
        if any(ord(char) > _LAST_CHARACTER for char in text):
            raise _NotShared
        return self.terms.mkString("".join(f"\\u{{{ord(char):x}}}" for char in text), True)

    def _within(self, value: Any, test: Range) -> Any:
        bounds = []
        if test.low is not None:
            bounds.append(self._make("GT" if test.low_open else "GEQ", value, self.terms.mkInteger(test.low)))
        if test.high is not None:
            bounds.append(self._make("LT" if test.high_open else "LEQ", value, self.terms.mkInteger(test.high)))
        return self._all("AND", bounds)

    def _text(self, kind: str, whole: Any, part: Any) -> Any:
        return self._make(_TEXTS[kind], *((whole, part) if kind == "part" else (part, whole)))

    # ---- formulas --------------------------------------------------------------------------------------------------

    def _make(self, kind: str, *operands: Any) -> Any:
        return self.terms.mkTerm(self.cvc5.Kind[kind], *operands)

    def _not(self, formula: Any) -> Any:
        return self._make("NOT", formula)

    def _all(self, kind: str, formulas: list[Any]) -> Any:
        """Return the formulas joined by AND or OR, of none what changes nothing."""
        if not formulas:
            return self.terms.mkBoolean(kind == "AND")
        return reduce(lambda one, other: self._make(kind, one, other), formulas)

    def _assert(self, kind: str, *operands: Any) -> None:
        self.asked.assertFormula(self._make(kind, *operands))

"""Convert a checked condition to disjunctive normal form: the ways in which it can be true, each a set of literals.

Only steps that hold in three-valued logic are taken (distribution, De Morgan, absorption): the form is true, false or
undecided exactly when the condition is. Contradictions stay in. A form with more than CLAUSES ways, or a way with more
than LITERALS literals, is not made.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from policy_engine.analysis.literals import NEVER, Among, Clause, Exists, Literal, Options, Range, Text, Truth, Words
from policy_engine.analysis.terms import Levels, Term, atoms_key, deeper, key, term
from policy_engine.checker import tree
from policy_engine.model.records import is_path
from policy_engine.model.types import ARGUMENT, BOOL, ListType

CLAUSES = 64
LITERALS = 200
Form = list[Clause]
Switches = frozenset[tuple[str, int]]
"""(file, offset) of `true` and `false` that stand in a define: settings, of which nothing is assumed."""

_SWAPPED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_TEXT = {"contains": "part", "starts_with": "prefix", "ends_with": "suffix"}


class TooLarge(Exception):
    """The form has too many ways or literals; nothing is said about the condition."""


def ways(node: tree.Expr, positive: bool = True, switches: Switches = frozenset()) -> Form:
    """Return the form of a condition, or of its negation. Raises TooLarge."""
    return _Reader(switches).form(node, positive, {})


def both(forms: Iterable[Form]) -> Form:
    """Return the form of a conjunction. Raises TooLarge."""
    combined: Form = [frozenset()]
    for form in forms:
        if len(combined) * len(form) > CLAUSES * CLAUSES:
            raise TooLarge
        combined = _absorbed([one | other for one, other in product(combined, form)])
    return combined


def _absorbed(form: Form) -> Form:
    """Remove each way that contains another one: `a or (a and b)` is `a`. Raises TooLarge."""
    if len(form) == 1 and len(form[0]) <= LITERALS:
        return form
    kept: Form = []
    for clause in sorted(dict.fromkeys(form), key=len):
        if not any(other <= clause for other in kept):
            kept.append(clause)
        if len(kept) > CLAUSES or len(clause) > LITERALS:
            raise TooLarge
    return kept


class _Reader:
    """The walk over one condition."""

    def __init__(self, switches: Switches) -> None:
        self.switches = switches

    def form(self, node: tree.Expr, positive: bool, levels: Levels) -> Form:
        match node:
            case tree.Not():
                return self.form(node.operand, not positive, levels)
            case tree.And() | tree.Or():
                parts = [self.form(part, positive, levels) for part in node.operands]
                if isinstance(node, tree.And) is positive:
                    return both(parts)
                return _absorbed([clause for part in parts for clause in part])
            case tree.Constant():
                return self._constant(node, positive)
            case tree.Comparison():
                return self._comparison(node, positive, levels)
            case tree.Quantified(kind="any" | "every"):
                return self._quantified(node, positive, levels)
            case tree.Happened():
                each = [[_truth(atoms_key((atom,), levels), node, positive)] for atom in node.atoms]
                return both([[frozenset(one)] for one in each]) if not positive else [frozenset(one) for one in each]
            case tree.Matches():
                return _one(_matches(node, levels), positive)
            case tree.MethodCall(name="has_flag"):
                base = Term(f"{key(node.base, levels)}.has_flag", BOOL)
                return _one(Literal(base, Options(frozenset(node.arguments)), True, node), positive)
            case _:
                return [frozenset((_truth(key(node, levels), node, positive),))]

    def _constant(self, node: tree.Constant, positive: bool) -> Form:
        if (node.place.source.name, node.place.span.start) in self.switches:
            at = f"setting {node.place.location}"
            return [frozenset((_truth(at, node, positive),))]
        return [frozenset()] if bool(node.value) is positive else []

    def _quantified(self, node: tree.Quantified, positive: bool, levels: Levels) -> Form:
        """`any` has one way per way of its body; `every x { e }` is `not any x { not e }`."""
        inner = deeper(levels, node.binding)
        is_any = node.kind == "any"
        parts = [self.form(node.body, is_any, inner)]
        if node.where is not None:
            parts.append(self.form(node.where, True, inner))
        body = both(parts) or [frozenset((Literal(Term(NEVER, BOOL), Truth(), True, node),))]
        if frozenset() in body:
            return [frozenset((_truth(key(node, levels), node, positive),))]
        source = Term(f"in {key(node.source, levels)}", node.source.type)
        each = [Literal(source, Exists(clause), True, node) for clause in body]
        if positive is is_any:
            return [frozenset((_shown(one, not positive),)) for one in each]
        return both([[frozenset((_shown(one.opposite(), not positive),))] for one in each])

    def _comparison(self, node: tree.Comparison, positive: bool, levels: Levels) -> Form:
        left, right, op = node.left, node.right, node.op
        if isinstance(left, tree.Constant) and not isinstance(right, tree.Constant) and op in _SWAPPED:
            left, right, op = right, left, _SWAPPED[op]
        if op in ("==", "!="):
            return self._equal(node, left, right, positive is (op == "=="), levels, positive)
        if op in ("<", "<=", ">", ">="):
            return _one(_ordered(node, left, right, op, levels), positive)
        if op in ("in", "not_in"):
            wanted = positive is (op == "in")
            return _one(_among(node, left, right, levels), wanted, not positive)
        if op in _TEXT and isinstance(right, tree.Constant) and _is_text(left, op):
            return _one(Literal(term(left, levels), Text(_TEXT[op], str(right.value)), True, node), positive)
        if op == "outside":
            pair = f"under({key(left, levels)}, {key(right, levels)})"
            return [frozenset((_truth(pair, node, not positive, not positive),))]
        pair = f"{op}({key(left, levels)}, {key(right, levels)})"
        return [frozenset((_truth(pair, node, positive),))]

    def _equal(
        self, node: tree.Comparison, left: tree.Expr, right: tree.Expr, wanted: bool, levels: Levels, positive: bool
    ) -> Form:
        if isinstance(left, tree.Constant) and isinstance(right, tree.Constant):
            return self._constants(node, left, right, wanted, positive)
        if isinstance(right, tree.Constant) and right.type is BOOL and left.type is BOOL:
            if (right.place.source.name, right.place.span.start) not in self.switches:
                return self.form(left, wanted is bool(right.value), levels)
        elif isinstance(right, tree.Constant) and not is_path(left.type) and isinstance(right.value, str | int):
            return _one(
                Literal(term(left, levels), Among(frozenset((_value(right.value),))), True, node), wanted, not positive
            )
        pair = " == ".join(sorted((key(left, levels), key(right, levels))))
        return [frozenset((_truth(pair, node, wanted, not positive),))]

    def _constants(
        self, node: tree.Comparison, left: tree.Constant, right: tree.Constant, wanted: bool, positive: bool
    ) -> Form:
        """Two constants are compared only as settings are: nothing is assumed of a define's value."""
        if left.place.source == right.place.source and _inside(left, node) and _inside(right, node):
            return [frozenset()] if (left.value == right.value) is wanted else []
        pair = " == ".join(sorted((key(left, {}), key(right, {}))))
        return [frozenset((_truth(f"setting {pair}", node, wanted, not positive),))]


def _inside(part: tree.Constant, whole: tree.Expr) -> bool:
    outer, inner = whole.place.span, part.place.span
    return part.place.source is whole.place.source and outer.start <= inner.start and inner.end <= outer.end


def _one(literal: Literal, positive: bool, negated: bool | None = None) -> Form:
    atom = literal if positive else literal.opposite()
    return [frozenset((_shown(atom, not positive if negated is None else negated),))]


def _shown(literal: Literal, negated: bool) -> Literal:
    if literal.negated is negated:
        return literal
    return Literal(literal.term, literal.test, literal.positive, literal.expr, negated)


def _truth(name: str, node: tree.Expr, positive: bool, negated: bool | None = None) -> Literal:
    return Literal(Term(name, BOOL), Truth(), positive, node, not positive if negated is None else negated)


def _is_text(node: tree.Expr, op: str) -> bool:
    """Return whether the operator looks at a text; `contains` on a JSON value may turn out to look into a list."""
    return not isinstance(node.type, ListType) and not (op == "contains" and node.type is ARGUMENT)


def _matches(node: tree.Matches, levels: Levels) -> Literal:
    subject = term(node.subject, levels)
    match node.pattern:
        case tree.CommandPattern():
            return Literal(subject, Words(node.pattern), True, node)
        case tree.RegexPattern():
            return Literal(subject, Text("regex", node.pattern), True, node)
        case _:
            return Literal(subject, Text("glob", node.pattern), True, node)


def _ordered(node: tree.Comparison, left: tree.Expr, right: tree.Expr, op: str, levels: Levels) -> Literal:
    subject = term(left, levels)
    if isinstance(right, tree.Constant) and type(right.value) is int and not isinstance(left, tree.Constant):
        return Literal(subject, _range(op, right.value, subject.whole), True, node)
    names = key(left, levels), key(right, levels)
    less, strict = (names, op == "<") if op[0] == "<" else (names[::-1], op == ">")
    if strict:
        return Literal(Term(f"less({less[0]}, {less[1]})", BOOL), Truth(), True, node)
    return Literal(Term(f"less({less[1]}, {less[0]})", BOOL), Truth(), False, node)


def _range(op: str, value: int, whole: bool) -> Range:
    strict = len(op) == 1
    if op[0] == "<":
        return Range(None, value - 1) if strict and whole else Range(None, value, high_open=strict)
    return Range(value + 1, None) if strict and whole else Range(value, None, low_open=strict)


def _among(node: tree.Comparison, left: tree.Expr, right: tree.Expr, levels: Levels) -> Literal:
    if isinstance(right, tree.ListOf) and not is_path(left.type):
        values = [item.value for item in right.items if isinstance(item, tree.Constant)]
        if len(values) == len(right.items) and all(isinstance(value, str | int) for value in values):
            return Literal(term(left, levels), Among(frozenset(map(_value, values))), True, node)
    return Literal(Term(f"in({key(left, levels)}, {key(right, levels)})", BOOL), Truth(), True, node)


def _value(value: object) -> object:
    """Return a constant as a member of a set, in which Python would take `true` for 1."""
    return ("Bool", value) if type(value) is bool else value

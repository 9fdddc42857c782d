"""Check the text of a verdict: text and typed expressions in turn. What is printed never changes an outcome."""

from __future__ import annotations

from policy_engine.checker import messages
from policy_engine.checker.expressions import check
from policy_engine.checker.scope import Scope
from policy_engine.checker.tree import Expr, Message, Place
from policy_engine.checker.types import PATTERNS, described
from policy_engine.syntax import ast
from policy_engine.syntax.interpolation import parse_interpolation


def message(literal: ast.StringLiteral, scope: Scope) -> Message:
    """Return a message's parts; an expression may be absent, undecided or unbound, and then prints `?`."""
    place = Place(scope.source, literal.span)
    if not literal.interpolated and "}" not in literal.value:
        return Message(place, (literal.value,) if literal.value else ())
    parts, problems = parse_interpolation(literal, scope.source)
    scope.names.findings.extend(problems)
    before = scope.printing
    scope.printing = True
    printed: list[str | Expr] = [part if isinstance(part, str) else _printed(part, scope) for part in parts]
    scope.printing = before
    return Message(place, tuple(printed))


def _printed(node: ast.Expr, scope: Scope) -> Expr:
    expression = check(node, scope)
    if expression.type in PATTERNS:
        scope.report(messages.wrong_type(expression.place, "something that can be printed", described(expression.type)))
    return expression

"""Check an expression: its typed form. Diagnostics go to the scope; a wrong part becomes MISTAKE."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from policy_engine.checker import (
    arguments,
    calls,
    fields,
    messages,
    operators,
    patterns,
    quantifiers,
    tree,
)
from policy_engine.checker.narrowing import when_false, when_true
from policy_engine.checker.scope import MISTAKE, Bound, DefineInfo, Scope
from policy_engine.checker.tree import Place
from policy_engine.checker.types import NO_ELEMENT, described, equal
from policy_engine.model.limits import DEFINE_EXPANSION, POLICY_DEPTH
from policy_engine.model.records import is_path
from policy_engine.model.types import (
    ARGUMENT,
    BOOL,
    DURATION,
    ERROR,
    INT,
    REGEX,
    STRING,
    TIME,
    EnumType,
    ListType,
    Type,
    list_of,
)
from policy_engine.syntax import ast


def check(node: ast.Expr, scope: Scope, exempt: bool = False) -> tree.Expr:
    """Any expression; an `exempt` one may be absent."""
    frame = scope.frame
    frame.depth += 1
    expression = _CHECKS[type(node)](node, scope, exempt)
    frame.depth -= 1
    return expression


def condition(node: ast.Expr, scope: Scope) -> tree.Expr:
    """Check an expression that must be a Bool: there is no truthiness."""
    expression = check(node, scope)
    if expression.type is BOOL or expression.type is ERROR:
        return expression
    advice = ""
    if isinstance(expression.type, ListType):
        advice = "write `any x in … { … }`, or `… != []`"
    elif expression.type is ARGUMENT:
        advice = "compare it: `… == true`"
    elif expression.type is INT:
        advice = "compare it: `… > 0`"
    elif expression.type is STRING:
        advice = 'compare it: `… != ""`'
    scope.report(messages.wrong_type(expression.place, "a condition (Bool)", described(expression.type), advice))
    return MISTAKE


# ---- literals and names --------------------------------------------------------------------------------------------


def _string(node: ast.StringLiteral, scope: Scope, exempt: bool) -> tree.Expr:
    place = Place(scope.source, node.span)
    if node.interpolated:
        scope.report(messages.misplaced_interpolation(place))
    return tree.Constant(place, STRING, node.value)


def _int(node: ast.IntLiteral, scope: Scope, exempt: bool) -> tree.Expr:
    return tree.Constant(Place(scope.source, node.span), INT, node.value)


def _bool(node: ast.BoolLiteral, scope: Scope, exempt: bool) -> tree.Expr:
    return tree.Constant(Place(scope.source, node.span), BOOL, node.value)


def _duration(node: ast.DurationLiteral, scope: Scope, exempt: bool) -> tree.Expr:
    place = Place(scope.source, node.span)
    if node.unit == "rounds":
        scope.report(messages.wrong_type(place, "a value", "a number of rounds", "rounds stand after `within` only"))
    return tree.Constant(place, DURATION, node.value)


def _time(node: ast.TimeLiteral, scope: Scope, exempt: bool) -> tree.Expr:
    return tree.Constant(Place(scope.source, node.span), TIME, node.value)


def _regex(node: ast.RegexLiteral, scope: Scope, exempt: bool) -> tree.Expr:
    place = Place(scope.source, node.span)
    pattern = patterns.regex(node, scope)
    return MISTAKE if pattern is None else tree.Constant(place, REGEX, pattern)


def _list(node: ast.ListLiteral, scope: Scope, exempt: bool) -> tree.Expr:
    items = tuple(check(item, scope) for item in node.items)
    known = [item for item in items if item.type is not ERROR]
    for item in known[1:]:
        if not equal(known[0].type, item.type):
            scope.report(messages.unlike_elements(item.place, described(known[0].type), described(item.type)))
    element = known[0].type if known else ERROR if items else NO_ELEMENT
    return tree.ListOf(Place(scope.source, node.span), list_of(element), items)


def _object(node: ast.ObjectLiteral, scope: Scope, exempt: bool) -> tree.Expr:
    place = Place(scope.source, node.span)
    advice = "an object stands in the steps of tests; ask for one of its values"
    scope.report(messages.wrong_type(place, "a value", "an object", advice))
    return MISTAKE


def _name(node: ast.Name, scope: Scope, exempt: bool) -> tree.Expr:
    bound = scope.variables.get(node.name)
    if bound is not None:
        scope.frame.contextual = True
        return _variable(bound, Place(scope.source, node.span))
    info = scope.visible.get(node.name)
    if info is not None:
        return _expand(node, info, scope, exempt)
    if node.name in scope.words.fields:
        return fields.field(node.name, node, scope, exempt)
    return fields.unknown(node, scope)


def _variable(bound: Bound, place: Place) -> tree.Expr:
    """Return a variable, or the value of an argument; in a message the first bound one of its name."""
    if bound.value is not None:
        return bound.value
    *others, last = (replace(one, place=place) for one in (bound.variable, *bound.others))
    value: tree.Expr = last
    for one in reversed(others):
        value = tree.Else(place, one.type, one, value)
    return value


def _expand(node: ast.Name, info: DefineInfo, scope: Scope, exempt: bool) -> tree.Expr:
    """Return a define, put in place; checked once if it means the same everywhere, else here again."""
    scope.use_of(info, node.span)
    place = Place(scope.source, node.span)
    if info.broken:
        return MISTAKE
    wanted = len(arguments.parameters_of(info))
    if wanted:
        scope.report(messages.wrong_arguments(place, node.name, wanted, 0, info.place))
        return MISTAKE
    frame = scope.frame
    if scope.use is None:  # a define's size counts what it names in turn
        frame.expanded += info.size
    if frame.expanded > DEFINE_EXPANSION or frame.depth + info.depth > POLICY_DEPTH:
        if not frame.overflowed:
            frame.overflowed = True
            scope.report(messages.expansion_too_large(place, node.name))
        return MISTAKE
    if info.pure and info.value is not None:
        return info.value
    return check(info.node.value, scope.inside(info, place), exempt)


def _member(node: ast.Member, scope: Scope, exempt: bool) -> tree.Expr:
    expression = fields.dotted(node, scope, exempt)
    return fields.attribute(node, scope, check, exempt) if expression is None else expression


def _index(node: ast.Index, scope: Scope, exempt: bool) -> tree.Expr:
    return fields.index(node, scope, check, exempt)


def _call(node: ast.Call, scope: Scope, exempt: bool) -> tree.Expr:
    return calls.call(node, scope, check, exempt)


def _except(node: ast.Except, scope: Scope, exempt: bool) -> tree.Expr:
    sort = "command" if patterns.sort_of(node, scope) == "command" else "glob"
    return calls.pattern_constant(node, scope, sort)


def _compare(node: ast.Compare, scope: Scope, exempt: bool) -> tree.Expr:
    return operators.compare(node, scope, check)


# ---- connectives ---------------------------------------------------------------------------------------------------


def _not(node: ast.Not, scope: Scope, exempt: bool) -> tree.Expr:
    return tree.Not(Place(scope.source, node.span), BOOL, condition(node.operand, scope))


def _and(node: ast.And, scope: Scope, exempt: bool) -> tree.Expr:
    operands = _guarded(node.operands, scope, when_true)
    return tree.And(Place(scope.source, node.span), BOOL, operands)


def _or(node: ast.Or, scope: Scope, exempt: bool) -> tree.Expr:
    operands = _guarded(node.operands, scope, when_false)
    return tree.Or(Place(scope.source, node.span), BOOL, operands)


def _guarded(
    nodes: tuple[ast.Expr, ...], scope: Scope, proven: Callable[[ast.Expr, Scope], frozenset[str]]
) -> tuple[tree.Expr, ...]:
    """Operands, each checked under what the others prove; `has x` itself needs no guard, so order is no matter."""
    before = scope.guards
    scope.guards = before.union(*(proven(node, scope) for node in nodes))
    operands = tuple(condition(node, scope) for node in nodes)
    scope.guards = before
    return operands


def _has(node: ast.Has, scope: Scope, exempt: bool) -> tree.Expr:
    place = Place(scope.source, node.span)
    operand = check(node.operand, scope, True)
    if operand.type is not ERROR and not _absentable(operand):
        scope.report(messages.never_absent(operand.place, "has", described(operand.type)))
    return tree.Has(place, BOOL, operand)


def _absentable(expression: tree.Expr) -> bool:
    kinds = tree.FieldRef | tree.ArgumentRef | tree.ItemRef | tree.AttributeRef | tree.LastOf
    return isinstance(expression, kinds) or (isinstance(expression, tree.PredicateCall) and expression.optional)


def _else(node: ast.Else, scope: Scope, exempt: bool) -> tree.Expr:
    place = Place(scope.source, node.span)
    value = check(node.value, scope, True)
    default = check(node.default, scope, exempt)
    if ERROR in (value.type, default.type):
        return MISTAKE
    if not (_absentable(value) or isinstance(value, tree.Else)):
        scope.report(messages.never_absent(value.place, "else", described(value.type)))
        return MISTAKE
    type_ = _joined(value.type, default, scope)
    if type_ is None:
        scope.report(messages.wrong_type(default.place, described(value.type), described(default.type)))
        return MISTAKE
    return tree.Else(place, type_, value, default)


def _joined(value: Type, default: tree.Expr, scope: Scope) -> Type | None:
    """Return the type of `value else default`, None if they do not go together. A message prints anything."""
    if value == default.type:
        return value
    if isinstance(value, EnumType) and default.type == STRING:
        return STRING
    if value is ARGUMENT and isinstance(default.type, ListType):
        element = default.type.element
        return ARGUMENT if element is NO_ELEMENT or equal(ARGUMENT, element) else None
    if value is ARGUMENT or default.type is ARGUMENT:
        return ARGUMENT if equal(value, default.type) else None
    if is_path(value) and is_path(default.type):
        return value
    if isinstance(value, ListType) and isinstance(default.type, ListType) and equal(value, default.type):
        return value
    return STRING if scope.printing else None


def _quantified(node: ast.Quantified, scope: Scope, exempt: bool) -> tree.Expr:
    return quantifiers.quantified(node, scope, check, condition)


_CHECKS: dict[type[ast.Expr], Callable[..., tree.Expr]] = {
    ast.StringLiteral: _string,
    ast.IntLiteral: _int,
    ast.BoolLiteral: _bool,
    ast.DurationLiteral: _duration,
    ast.TimeLiteral: _time,
    ast.RegexLiteral: _regex,
    ast.ListLiteral: _list,
    ast.ObjectLiteral: _object,
    ast.Name: _name,
    ast.Member: _member,
    ast.Index: _index,
    ast.Call: _call,
    ast.Except: _except,
    ast.Not: _not,
    ast.And: _and,
    ast.Or: _or,
    ast.Compare: _compare,
    ast.Has: _has,
    ast.Else: _else,
    ast.Quantified: _quantified,
}

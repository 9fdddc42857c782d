"""`define forced(c: Command) = …` and `forced(c)`: what its arguments are, and its text with them put in place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from policy_engine.checker import messages, tree
from policy_engine.checker.scope import ARGUMENT_OF_DEFINE, MISTAKE, Bound, DefineInfo, Scope
from policy_engine.checker.tree import Place
from policy_engine.checker.types import described
from policy_engine.model.limits import DEFINE_EXPANSION, POLICY_DEPTH
from policy_engine.model.records import COMMAND, TODO, is_path
from policy_engine.model.types import BOOL, DURATION, ERROR, INT, PATH, STRING, EnumType, ListType, Type, list_of
from policy_engine.syntax import ast

TYPES: Mapping[str, Type] = {
    "Bool": BOOL, "Int": INT, "Duration": DURATION, "String": STRING, "Path": PATH, "Command": COMMAND, "Todo": TODO,
}  # fmt: skip


def parameters_of(info: DefineInfo) -> tuple[str, ...]:
    """Return the names of a define's arguments."""
    return tuple(one.name for one in info.node.parameters) if isinstance(info.node, ast.Define) else ()


def declare(info: DefineInfo, scope: Scope) -> None:
    """Bind the arguments of a define that is checked on its own; report names that they must not have."""
    for one in info.node.parameters if isinstance(info.node, ast.Define) else ():
        place = Place(scope.source, one.span)
        type_ = _type(one)
        if type_ is ERROR:
            scope.report(messages.unknown_type(place, one.type, one.element, TYPES))
        first = scope.variables.get(one.name)
        if first is not None or one.name in scope.visible:
            other = first.variable.place if first is not None else scope.visible[one.name].place
            scope.report(messages.shadowed_variable(place, one.name, other))
        scope.frame.contextual = True
        bound = _bound(place, type_, one.name, scope)
        bound.origin = ARGUMENT_OF_DEFINE
        scope.variables = {**scope.variables, one.name: bound}


def _bound(place: Place, type_: Type, name: str, scope: Scope, value: tree.Expr | None = None) -> Bound:
    scope.frame.bindings += 1
    return Bound(tree.Variable(place, type_, name, scope.frame.bindings), "", value=value)


def _type(one: ast.Parameter) -> Type:
    """The type of an argument as it is written; ERROR if there is none."""
    if one.type == "List":
        return list_of(TYPES[one.element]) if one.element in TYPES else ERROR
    return ERROR if one.element else TYPES[one.type]


def bind(node: ast.Call, values: list[tree.Expr], info: DefineInfo, scope: Scope) -> dict[str, Bound] | None:
    """Return the arguments of a call by name, or None if they do not fit; a variable stays the variable that it is."""
    assert isinstance(info.node, ast.Define)
    bound: dict[str, Bound] = {}
    for one, argument, value in zip(info.node.parameters, node.arguments, values, strict=True):
        wanted = _type(one)
        if ERROR in (wanted, value.type):
            return None
        if not _fits(wanted, value.type):
            scope.report(messages.wrong_type(value.place, described(wanted), described(value.type)))
            return None
        outer = scope.variables.get(argument.value.name) if isinstance(argument.value, ast.Name) else None
        bound[one.name] = outer or _bound(value.place, value.type, one.name, scope, value)
    return bound


def _fits(wanted: Type, actual: Type) -> bool:
    if isinstance(wanted, ListType) and isinstance(actual, ListType):
        return actual.element.name == "nothing" or _fits(wanted.element, actual.element)
    return (
        wanted == actual or (is_path(wanted) and is_path(actual)) or (wanted is STRING and isinstance(actual, EnumType))
    )


def call(node: ast.Call, info: DefineInfo, scope: Scope, check: Callable[..., tree.Expr], exempt: bool) -> tree.Expr:
    """Check a define with its arguments put in place."""
    assert isinstance(node.callee, ast.Name)
    place = Place(scope.source, node.span)
    scope.use_of(info, node.callee.span)
    names = parameters_of(info)
    if info.broken:
        return MISTAKE
    labelled = next((one for one in node.arguments if one.label), None)
    if labelled is not None:
        at = Place(scope.source, labelled.span)
        scope.report(messages.unknown_label(at, node.callee.name, labelled.label, ()))
        return MISTAKE
    if len(node.arguments) != len(names):
        scope.report(messages.wrong_arguments(place, node.callee.name, len(names), len(node.arguments), info.place))
        return MISTAKE
    frame = scope.frame
    size, depth, _ = expanded_size(node, scope.visible, ())
    if scope.use is None:
        frame.expanded += size
    if frame.expanded > DEFINE_EXPANSION or frame.depth + depth > POLICY_DEPTH:
        if not frame.overflowed:
            frame.overflowed = True
            scope.report(messages.expansion_too_large(place, node.callee.name))
        return MISTAKE
    bound = bind(node, [check(one.value, scope) for one in node.arguments], info, scope)
    if bound is None:
        return MISTAKE
    inner = scope.inside(info, place)
    inner.variables = bound
    return check(info.node.value, inner, exempt)


def expanded_size(
    node: ast.Node, visible: Mapping[str, DefineInfo], parameters: tuple[str, ...]
) -> tuple[int, int, Mapping[str, int]]:
    """Return the nodes and levels of an expression with all defines put in place, and how often each argument stands
    in it."""
    if isinstance(node, ast.Name):
        known = visible.get(node.name)
        if node.name in parameters:
            return 1, 1, {node.name: 1}
        return (1, 1, _NONE) if known is None else (1 + known.size, 1 + known.depth, _NONE)
    if isinstance(node, _LITERALS):
        return 1, 1, _NONE
    callee = node.callee if isinstance(node, ast.Call) else None
    applied = visible.get(callee.name) if isinstance(callee, ast.Name) else None
    size, depth, weights = 1, 0, Counter[str]()
    if applied is not None and isinstance(node, ast.Call):
        size, depth = 1 + applied.size, 0
        for name, argument in zip(parameters_of(applied), node.arguments, strict=False):
            part, levels, inner = expanded_size(argument.value, visible, parameters)
            times = max(applied.weights.get(name, 0), 1)
            size, depth = size + times * (1 + part), max(depth, 1 + levels)  # 1: the argument around it
            for each, count in inner.items():
                weights[each] += count * times
        return size, 1 + applied.depth + depth, weights
    for child in _children(node):
        part, levels, inner = expanded_size(child, visible, parameters)
        size, depth = size + part, max(depth, levels)
        for each, count in inner.items():
            weights[each] += count
    return size, 1 + depth, weights


_NONE: Mapping[str, int] = {}
_LITERALS = (ast.StringLiteral, ast.IntLiteral, ast.BoolLiteral, ast.DurationLiteral, ast.RegexLiteral)


def _children(node: ast.Node) -> list[ast.Node]:
    values = (getattr(node, name) for name in node.__dataclass_fields__)
    parts = (value if type(value) is tuple else (value,) for value in values)
    return [part for one in parts for part in one if isinstance(part, ast.Node)]

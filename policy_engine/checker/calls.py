"""Check `word(…)` and `record.method(…)`: predicate calls, history forms, pattern constants, method calls."""

from __future__ import annotations

from policy_engine.checker import arguments, fields, history, messages, patterns, tree
from policy_engine.checker.fields import Check
from policy_engine.checker.narrowing import key
from policy_engine.checker.scope import MISTAKE, Scope
from policy_engine.checker.tree import Place
from policy_engine.checker.types import described, textual
from policy_engine.checker.vocabulary import ATOMS, Predicate
from policy_engine.model.records import is_path
from policy_engine.model.types import BOOL, COMMAND_PATTERN, ERROR, GLOB, REGEX, STRING
from policy_engine.predicates.base import dotted_keys, pointer_keys
from policy_engine.syntax import ast

_FORMS = {"count": history.count, "last": history.last, "changed": history.changed}


def call(node: ast.Call, scope: Scope, check: Check, exempt: bool) -> tree.Expr:
    """Anything before a parenthesis."""
    if isinstance(node.callee, ast.Member):
        return _method(node, node.callee, scope, check)
    name = node.callee.name
    if name in ATOMS:
        return history.happened(node, scope)
    predicate = scope.words.predicates.get(name)
    if predicate is not None:
        return _predicate(node, predicate, scope, check, exempt)
    if name == "last":
        return _last(node, scope, exempt)
    form = _FORMS.get(name)
    if form is not None:
        return form(node, scope)
    if name in ("glob", "command"):
        return pattern_constant(node, scope, name)
    info = scope.visible.get(name)
    if info is not None and arguments.parameters_of(info):
        return arguments.call(node, info, scope, check, exempt)
    place = Place(scope.source, node.callee.span)
    scope.report(messages.unknown_function(place, name, scope.words.callable_words()))
    return MISTAKE


def pattern_constant(node: ast.Expr, scope: Scope, sort: str) -> tree.Expr:
    """Return a glob or command as a value, as in a define."""
    place = Place(scope.source, node.span)
    pattern = patterns.pattern(node, scope, sort)
    return MISTAKE if pattern is None else tree.Constant(place, GLOB if sort == "glob" else COMMAND_PATTERN, pattern)


def _last(node: ast.Call, scope: Scope, exempt: bool) -> tree.Expr:
    expression = history.last(node, scope)
    if expression.type is not ERROR and not (
        exempt or scope.printing or scope.free or key(node, scope) in scope.guards
    ):
        scope.report(messages.unguarded(expression.place, expression.place.text, ": it may never have happened"))
    return expression


def _predicate(node: ast.Call, predicate: Predicate, scope: Scope, check: Check, exempt: bool) -> tree.Expr:
    place = Place(scope.source, node.span)
    for argument in node.arguments:
        if argument.label:
            at = Place(scope.source, argument.span)
            scope.report(messages.unknown_label(at, predicate.name, argument.label, ()))
    wanted = len(predicate.parameters)
    if len(node.arguments) != wanted:
        expected = {0: "no arguments", 1: "one argument"}.get(wanted, f"{wanted} arguments")
        scope.report(messages.wrong_count(place, predicate.name, expected, len(node.arguments)))
        return MISTAKE
    if predicate.needs == "changed":
        pattern = patterns.glob(node.arguments[0].value, scope)
        if pattern is None:
            return MISTAKE
        changed = history.changed_in(place, pattern)
        return tree.Comparison(place, BOOL, "!=", changed, tree.ListOf(place, changed.type, ()))
    arguments = tuple(
        _argument(argument.value, sort, predicate, scope, check)
        for argument, sort in zip(node.arguments, predicate.parameters, strict=True)
    )
    if any(argument.type is ERROR for argument in arguments):
        return MISTAKE
    if predicate.optional:
        scope.frame.contextual = True
        if not (exempt or scope.printing or scope.free or key(node, scope) in scope.guards):
            scope.report(messages.unguarded(place, place.text, ": the file may lack it"))
    return tree.PredicateCall(
        place, predicate.result, predicate.module, predicate.name, arguments, predicate.optional, predicate.needs
    )


def _argument(node: ast.Expr, sort: str, predicate: Predicate, scope: Scope, check: Check) -> tree.Expr:
    """One argument of a predicate: its type, and what can be said of a constant."""
    argument = check(node, scope)
    if argument.type is ERROR:
        return argument
    fits = (
        textual(argument.type)
        or (sort == "path" and is_path(argument.type))
        or (sort == "needle" and argument.type is REGEX)
    )
    if not fits:
        expected = {"path": "a String or Path", "needle": "a String or Regex"}.get(sort, "a String")
        scope.report(messages.wrong_type(argument.place, expected, described(argument.type)))
        return MISTAKE
    if isinstance(argument, tree.Constant) and isinstance(argument.value, str):
        problem = _constant_problem(sort, argument.value)
        if problem:
            scope.report(messages.bad_argument(argument.place, predicate.name, problem))
            return MISTAKE
    return argument


def _constant_problem(sort: str, value: str) -> str:
    if sort == "path":
        return "" if value and "\0" not in value else "an empty path names no file"
    if sort == "needle":
        return "" if value else "every file contains the empty text"
    try:
        pointer_keys(value) if sort == "pointer" else dotted_keys(value)
    except ValueError as problem:
        return str(problem)
    return ""


def _method(node: ast.Call, callee: ast.Member, scope: Scope, check: Check) -> tree.Expr:
    """`c.has_flag("-r")`; the arguments are text literals."""
    count = fields.count_of_key(node, callee, scope, check)
    if count is not None:
        return count
    place = Place(scope.source, node.span)
    base = check(callee.base, scope)
    attribute = fields.known_attribute(base, callee, scope)
    if attribute is None:
        return MISTAKE
    if not attribute.method:
        at = Place(scope.source, callee.name_span)
        scope.report(messages.wrong_type(at, "a method", f"the attribute `{callee.name}`", "leave out the parentheses"))
        return MISTAKE
    values = []
    for argument in node.arguments:
        at = Place(scope.source, argument.span)
        if argument.label:
            scope.report(messages.unknown_label(at, callee.name, argument.label, ()))
        elif isinstance(argument.value, ast.StringLiteral) and attribute.arguments == (STRING,):
            values.append(argument.value.value)
        else:
            scope.report(messages.not_constant(at, callee.name))
    if not node.arguments:
        scope.report(messages.wrong_count(place, callee.name, "one text or more", 0))
    return tree.MethodCall(place, attribute.type, base, callee.name, tuple(values))

"""Check `any|every|count x in xs where c { e }`: the variable is bound and, afterwards, kept as a witness."""

from __future__ import annotations

from policy_engine.checker import messages, tree
from policy_engine.checker.fields import Check
from policy_engine.checker.narrowing import when_false, when_true
from policy_engine.checker.scope import Bound, Scope
from policy_engine.checker.tree import Place
from policy_engine.checker.types import described
from policy_engine.checker.vocabulary import Vocabulary
from policy_engine.model.types import ARGUMENT, BOOL, ERROR, INT, ListType
from policy_engine.syntax import ast
from policy_engine.syntax.tokens import RESERVED


def quantified(node: ast.Quantified, scope: Scope, check: Check, condition: Check) -> tree.Expr:
    """`any x in xs where c { e }`; `condition` checks what must be a Bool."""
    source = check(node.source, scope)
    bound = _bind(node, source, scope)
    outer, guards = scope.variables, scope.guards
    scope.variables = {**outer, node.variable: bound}
    body_proves = when_false if node.kind == "every" else when_true
    where: tree.Expr | None = None
    if node.where is not None:
        scope.guards = guards | body_proves(node.body, scope)
        where = condition(node.where, scope)
        scope.guards = guards | when_true(node.where, scope)
    body = condition(node.body, scope)
    scope.variables, scope.guards = outer, guards
    scope.frame.witnesses.append(bound)
    type_ = INT if node.kind == "count" else BOOL
    place = Place(scope.source, node.span)
    return tree.Quantified(place, type_, node.kind, node.variable, bound.variable.binding, source, where, body)


def _bind(node: ast.Quantified, source: tree.Expr, scope: Scope) -> Bound:
    """Return the variable, with the type of the list's elements."""
    place = Place(scope.source, node.variable_span)
    scope.frame.contextual = True
    scope.frame.bindings += 1
    element = ERROR
    if isinstance(source.type, ListType):
        element = source.type.element
    elif source.type is ARGUMENT:
        element = ARGUMENT
    elif source.type is not ERROR:
        scope.report(messages.not_a_list(source.place, described(source.type)))
    _check_name(node.variable, place, scope)
    origin = "changed" if isinstance(source, tree.Changed) else ""
    if isinstance(source, tree.FieldRef) and source.name == "goal.commands":
        origin = "goal"
    return Bound(tree.Variable(place, element, node.variable, scope.frame.bindings), origin)


def _check_name(word: str, place: Place, scope: Scope) -> None:
    outer = scope.variables.get(word)
    if outer is not None:
        scope.report(messages.shadowed_variable(place, word, outer.variable.place))
    elif word in scope.visible:
        scope.report(messages.shadowed_variable(place, word, scope.visible[word].place))
    else:
        meaning = reserved_meaning(word, scope.words)
        if meaning:
            scope.report(messages.name_taken(place, word, meaning))


def reserved_meaning(word: str, words: Vocabulary) -> str:
    """Return what a word already means in every condition, or an empty string."""
    if word in RESERVED:
        return "a word of the language"
    return "a field" if word in words.roots else ""

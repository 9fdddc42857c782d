"""Check `approve`: that a rule grants only what its condition proves, of every part of a call.

A condition grants if one of its conjuncts does, or each of its alternatives. What grants is a positive statement about
all that a call would do: `every c in commands { c.read_only }` of a shell line; `every p in paths { p under … }`, or
`inside`, or `matches` a glob, of a tool that reads a file. Whatever else stands in the condition narrows it.
"""

from __future__ import annotations

from collections.abc import Callable

from policy_engine.checker import messages, tree
from policy_engine.checker.scope import Scope
from policy_engine.checker.tree import CheckedRule, Place
from policy_engine.syntax import ast

POINT = "before_tool"
KINDS = ("shell", "read")
"""Tool kinds of which every call's effects are known; what a search looks through is in its pattern, too."""


def check_approval(item: ast.Rule, rule: CheckedRule, scope: Scope) -> None:
    """Complain about a rule that approves where nothing is asked, or more than its condition proves."""
    place = Place(scope.source, item.verdicts[0].span)
    for word, clauses in (("require", item.require), ("fail", item.fail), ("timeout", item.timeouts)):
        if clauses:
            scope.report(messages.beside_approve(Place(scope.source, clauses[0].span), word))
    if not rule.listens:
        return
    if any(one.point != POINT or one.names or not one.kinds or set(one.kinds) - set(KINDS) for one in rule.listens):
        scope.report(messages.approves_elsewhere(place))
        return
    kinds = {kind for one in rule.listens for kind in one.kinds}
    if "shell" in kinds and not _grants(rule.when, lambda part: _every(part, "commands", _only_reads)):
        scope.report(messages.grants_too_much(place, "every c in commands { c.read_only }"))
    if "read" in kinds and not _grants(rule.when, lambda part: _every(part, "paths", _within)):
        scope.report(messages.grants_too_much(place, "every p in paths { p inside workspace }"))


def _grants(node: tree.Expr | None, proves: Callable[[tree.Expr], bool]) -> bool:
    match node:
        case None:
            return False
        case tree.And():
            return any(_grants(part, proves) for part in node.operands)
        case tree.Or():
            return all(_grants(part, proves) for part in node.operands)
        case _:
            return proves(node)


def _every(node: tree.Expr, field: str, proves: Callable[[tree.Expr], bool]) -> bool:
    """Return whether a condition proves something of all that a field holds."""
    return (
        isinstance(node, tree.Quantified)
        and node.kind == "every"
        and node.where is None
        and isinstance(node.source, tree.FieldRef)
        and node.source.name == field
        and _grants(node.body, lambda part: proves(part) and _is_about(part, node.binding))
    )


def _only_reads(node: tree.Expr) -> bool:
    return isinstance(node, tree.AttributeRef) and node.name == "read_only"


def _within(node: tree.Expr) -> bool:
    if isinstance(node, tree.Matches):
        return isinstance(node.pattern, tree.GlobPattern)
    return isinstance(node, tree.Comparison) and node.op in ("under", "inside")


def _is_about(node: tree.Expr, binding: int) -> bool:
    """Return whether the subject of a statement is the variable of its quantifier."""
    subject = (
        node.base
        if isinstance(node, tree.AttributeRef)
        else node.subject
        if isinstance(node, tree.Matches)
        else node.left
        if isinstance(node, tree.Comparison)
        else None
    )
    return isinstance(subject, tree.Variable) and subject.binding == binding

"""List the conditions of a checked policy with their places, and the parts of a condition."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from policy_engine.analysis.formula import Form, Switches, TooLarge, both, ways
from policy_engine.analysis.literals import Among, Literal
from policy_engine.analysis.terms import Term
from policy_engine.checker import tree
from policy_engine.model.event import CARRYING
from policy_engine.model.types import BOOL, STRING

Item = (
    tree.CheckedRule | tree.CheckedLimit | tree.CheckedMode | tree.CheckedHook | tree.CheckedVerify | tree.CheckedWaiver
)


@dataclass(frozen=True, slots=True)
class Condition:
    """`word` is the clause that it stands in (`when`, `unless`, `require`, `reset on`, …); `item` owns it."""

    item: Item
    word: str
    expr: tree.Expr
    listens: tuple[tree.Listen, ...]


def conditions(policy: tree.CheckedPolicy) -> Iterator[Condition]:
    """Yield every condition that decides something, defines left out: they are read where they are used."""
    for rule in policy.rules:
        yield from _some(rule, rule.listens, when=rule.when, unless=rule.unless, require=rule.require)
    for limit in policy.limits:
        yield from _some(limit, limit.listens, when=limit.when, unless=limit.unless, counts=limit.condition)
        if limit.reset is not None:
            yield Condition(limit, "reset on", limit.reset, ())
    for mode in policy.modes:
        yield Condition(mode, "enter when", mode.enter, ())
        if mode.exit is not None:
            yield Condition(mode, "exit when", mode.exit, ())
    for hook in policy.hooks:
        yield from _some(hook, hook.listens, when=hook.when, unless=hook.unless)
    for verify in policy.verifies:
        yield from _some(verify, (), when=verify.when, unless=verify.unless)
    for waiver in policy.waivers:
        yield from _some(waiver, (), when=waiver.when)


def _some(item: Item, listens: tuple[tree.Listen, ...], **clauses: tree.Expr | None) -> Iterator[Condition]:
    for word, expr in clauses.items():
        if expr is not None:
            yield Condition(item, word, expr, listens)


def parts(node: tree.Expr) -> tuple[tree.Expr, ...]:
    """Return the expressions directly below one."""
    match node:
        case tree.Not():
            return (node.operand,)
        case tree.And() | tree.Or():
            return node.operands
        case tree.Comparison():
            return node.left, node.right
        case tree.Quantified():
            inner = (node.source, node.body) if node.where is None else (node.source, node.where, node.body)
            return inner
        case tree.Else():
            return node.value, node.default
        case tree.Has():
            return (node.value,)
        case tree.Matches():
            return (node.subject,)
        case tree.AttributeRef() | tree.MethodCall() | tree.ItemRef() | tree.Measure():
            return (node.base,)
        case tree.PredicateCall():
            return node.arguments
        case tree.ListOf():
            return node.items
        case _:
            return ()


def below(node: tree.Expr) -> Iterator[tree.Expr]:
    """Yield an expression and everything in it, in the order of the text."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack.extend(reversed(parts(current)))


def atoms(node: tree.Expr) -> tuple[tree.Atom, ...]:
    """Return the history atoms that an expression names itself, not in its parts."""
    match node:
        case tree.Happened() | tree.LastOf():
            return node.atoms
        case tree.Since():
            return node.left + node.right
        case tree.CountOf():
            return node.atoms + node.since
        case _:
            return ()


def switches(policy: tree.CheckedPolicy) -> Switches:
    """Return where `true` and `false` stand in defines."""
    return frozenset(
        (node.place.source.name, node.place.span.start)
        for define in policy.defines
        for node in below(define.value)
        if isinstance(node, tree.Constant) and node.type is BOOL
    )


def violations(policy: tree.CheckedPolicy) -> dict[str, Form]:
    """Return, by rule, the ways in which it is violated: `when`, not `unless`, not `require`. One with too many is
    left out.
    """
    known = switches(policy)
    forms = {}
    for rule in policy.rules:
        try:
            forms[rule.id] = rule_form(rule, known)
        except TooLarge:
            continue
    return forms


def rule_form(rule: tree.CheckedRule, known: Switches = frozenset()) -> Form:
    """Return the ways in which a rule is violated. Raises TooLarge."""
    return both(_clauses(rule, True, known))


def silences(rule: tree.CheckedRule, known: Switches) -> Form:
    """Return the ways in which a rule is not violated. Raises TooLarge."""
    return [clause for form in _clauses(rule, False, known) for clause in form]


def _clauses(rule: tree.CheckedRule, violated: bool, known: Switches) -> Iterator[Form]:
    if rule.when is not None:
        yield ways(rule.when, violated, known)
    if rule.unless is not None:
        yield ways(rule.unless, not violated, known)
    if rule.require is not None:
        yield ways(rule.require, not violated, known)


def called(listens: tuple[tree.Listen, ...], expr: tree.Expr) -> Form:
    """Return what the points say of the tool: one way with no literal, or with `tool.kind` or `tool.name` among a
    few.
    """
    kinds, names = set[str](), set[str]()
    for listen in listens:
        if bool(listen.kinds) is bool(listen.names):
            return [frozenset()]
        kinds.update(listen.kinds)
        names.update(listen.names)
    if bool(kinds) is bool(names):
        return [frozenset()]
    if "shell" in kinds:
        kinds.update(CARRYING)  # a rule about shells hears of the lines that other tools carry, too
    subject = Term("tool.kind" if kinds else "tool.name", STRING)
    return [frozenset((Literal(subject, Among(frozenset(kinds or names)), True, expr),))]

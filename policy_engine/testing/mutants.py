"""A checked rule or limit: the same with one small mistake, each a mutant with a description.

The faults are those that reviews of policies find: a clause or a part of it is left out, `and` for `or`, a negation, a
bound off by one, an alternative missing, a verdict one step lower, the other direction of `fail`, a filter too wide.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any, NamedTuple, TypeVar, cast

from policy_engine.checker import tree
from policy_engine.checker.tree import CheckedLimit, CheckedRule, Expr
from policy_engine.model.types import BOOL

Mutated = CheckedRule | CheckedLimit
Pattern = tree.CommandPattern | tree.GlobPattern
T = TypeVar("T")
D = TypeVar("D", bound=CheckedRule | CheckedLimit | Expr)
_LOWER = {"deny": "ask", "ask": "warn", "stop": "deny", "remind": "warn"}
_EDGES = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "in": "not_in", "not_in": "in"}
_OTHERS = {"any": "every", "every": "any"}


class Mutant(NamedTuple):
    """`what` says the mistake in words, `place` where it was made.

    `shared` is the pattern that lost a part, with the part: what several rules take from one definition is one mistake,
    and whichever of them notices it has noticed it.
    """

    what: str
    place: tree.Place
    item: Mutated
    shared: tuple[Pattern, str] | None = None


def mutants(item: Mutated) -> Iterator[Mutant]:
    """Yield every mutant of a rule or limit, in the order of its clauses."""
    yield from _of_listens(item)
    for word in ("when", "unless") if isinstance(item, CheckedLimit) else ("when", "unless", "require"):
        expr = getattr(item, word)
        if expr is None:
            continue
        if isinstance(item, CheckedLimit) or sum(getattr(item, one) is not None for one in ("when", "require")) > 1:
            yield Mutant(f"without `{word}`", expr.place, _set(item, word, None))
        elif word == "unless":
            yield Mutant("without `unless`", expr.place, replace(item, unless=None))
        for mistake, place, changed in _expressions(expr):
            yield Mutant(mistake.what, place, _set(item, word, changed), mistake.shared)
    if isinstance(item, CheckedRule):
        yield from _of_verdict(item)
    else:
        yield from _of_steps(item)
    if item.fail in ("open", "closed") and not (isinstance(item, CheckedRule) and item.approves):
        other = "closed" if item.fail == "open" else "open"
        yield Mutant(f"`fail {other}`", item.place, replace(item, fail=other))


class _Mistake(NamedTuple):
    what: str
    changed: Expr
    shared: tuple[Pattern, str] | None = None


def _set(node: D, name: str, value: object) -> D:
    """Return a node with another value in one of its fields."""
    changed: dict[str, Any] = {name: value}
    return cast("D", replace(cast("Any", node), **changed))


def _of_listens(item: Mutated) -> Iterator[Mutant]:
    for at, listen in enumerate(item.listens):
        rest = (*item.listens[:at], *item.listens[at + 1 :])
        if rest:
            yield Mutant(f"without `on {listen.point}`", item.place, replace(item, listens=rest))
        for kind in listen.kinds if len(listen.kinds) > 1 else ():
            kinds = tuple(one for one in listen.kinds if one != kind)
            narrowed = (*item.listens[:at], replace(listen, kinds=kinds), *item.listens[at + 1 :])
            yield Mutant(f"without `{kind}` in `on {listen.point}`", item.place, replace(item, listens=narrowed))


def _of_verdict(item: CheckedRule) -> Iterator[Mutant]:
    lower = _LOWER.get(item.verdict)
    if lower == "deny" or (lower and not item.reason):
        yield Mutant(f"`{lower}` for `{item.verdict}`", item.place, replace(item, verdict=lower, reason=""))


def _of_steps(item: CheckedLimit) -> Iterator[Mutant]:
    for at, step in enumerate(item.steps):
        for count in (step.count - 1, step.count + 1):
            if count > 0:
                steps = (*item.steps[:at], replace(step, count=count), *item.steps[at + 1 :])
                yield Mutant(f"`at {count}` for `at {step.count}`", step.place, replace(item, steps=steps))


# ---- expressions ---------------------------------------------------------------------------------------------------


def _expressions(node: Expr, command: tree.Place | None = None) -> Iterator[tuple[_Mistake, tree.Place, Expr]]:
    """Yield an expression with one mistake somewhere in it; `command` is the place of the `on command` around it.

    What `on command` makes of its words has no mistakes but a command or a condition that is left out.
    """
    if tree.is_made(node):
        return
    if isinstance(node, tree.Quantified) and node.source.place == node.place:
        command = node.place
    for mistake in _own(node):
        if node.place != command or mistake.what.startswith("without `"):
            yield mistake, node.place, mistake.changed
    for one in fields(node):
        value = getattr(node, one.name)
        if isinstance(value, Expr):
            for mistake, place, inner in _expressions(value, command):
                yield mistake, place, _set(node, one.name, inner)
        elif isinstance(value, tuple) and value and all(isinstance(part, Expr) for part in value):
            for at, part in enumerate(cast("tuple[Expr, ...]", value)):
                for mistake, place, inner in _expressions(part, command):
                    yield mistake, place, _set(node, one.name, (*value[:at], inner, *value[at + 1 :]))


def _own(node: Expr) -> Iterator[_Mistake]:
    """Yield the mistakes at the top of an expression."""
    text = " ".join(node.place.text.split())
    match node:
        case tree.And() | tree.Or():
            word, other = ("and", tree.Or) if isinstance(node, tree.And) else ("or", tree.And)
            yield _Mistake(f"not `{word}` in `{text}`", other(node.place, node.type, node.operands))
            for at, part in enumerate(node.operands):
                rest = (*node.operands[:at], *node.operands[at + 1 :])
                shorter = rest[0] if len(rest) == 1 else replace(node, operands=rest)
                yield _Mistake(f"without `{' '.join(part.place.text.split())}`", shorter)
        case tree.Not():
            yield _Mistake(f"without `not` in `{text}`", node.operand)
        case tree.Quantified(kind="any" | "every"):
            yield _Mistake(
                f"`{_OTHERS[node.kind]}` for `{node.kind}` in `{text}`", replace(node, kind=_OTHERS[node.kind])
            )
        case tree.Comparison():
            yield from _of_comparison(node, text)
        case tree.MethodCall(arguments=arguments) if len(arguments) > 1:
            for at, argument in enumerate(arguments):
                yield _Mistake(f"without {argument!r} in `{text}`", replace(node, arguments=_without(arguments, at)))
        case tree.ListOf(items=items) if len(items) > 1:
            for at, item in enumerate(items):
                yield _Mistake(f"without `{item.place.text}` in `{text}`", replace(node, items=_without(items, at)))
        case tree.Matches(pattern=tree.CommandPattern() | tree.GlobPattern() as pattern):
            for what, less in _patterns(pattern):
                yield _Mistake(f"{what} in `{text}`", replace(node, pattern=less), (pattern, what))
        case tree.Since():
            yield _Mistake(f"`{text}` without `since`", tree.Happened(node.place, node.type, node.left))
            if len(node.right) > 1:
                for at in range(len(node.right)):
                    yield _Mistake(f"less after `since` in `{text}`", replace(node, right=_without(node.right, at)))
        case tree.Happened(atoms=atoms) if len(atoms) > 1:
            for at in range(len(atoms)):
                yield _Mistake(f"one atom less in `{text}`", replace(node, atoms=_without(atoms, at)))
        case tree.Constant() | tree.ListOf() | tree.Else():
            return
        case _ if node.type is BOOL:
            yield _Mistake(f"`not` before `{text}`", tree.Not(node.place, node.type, node))


def _of_comparison(node: tree.Comparison, text: str) -> Iterator[_Mistake]:
    other = _EDGES.get(node.op)
    if other is not None:
        yield _Mistake(
            f"`{other.replace('_', ' ')}` for `{node.op.replace('_', ' ')}` in `{text}`", replace(node, op=other)
        )
    else:
        yield _Mistake(f"`not` before `{text}`", tree.Not(node.place, node.type, node))


def _patterns(pattern: Pattern) -> Iterator[tuple[str, Pattern]]:
    """Yield a pattern with one alternative or exception less."""
    match pattern:
        case tree.GlobPattern(include=globs, exclude=others):
            for at, glob in enumerate(globs if len(globs) > 1 else ()):
                yield f"without {glob!r}", pattern._replace(include=_without(globs, at))
            for at, glob in enumerate(others):
                yield f"without `except` {glob!r}", pattern._replace(exclude=_without(others, at))
        case tree.CommandPattern(include=lines, exclude=exceptions):
            for at, words in enumerate(lines if len(lines) > 1 else ()):
                yield f"without {' '.join(words)!r}", pattern._replace(include=_without(lines, at))
            for at, words in enumerate(exceptions):
                yield f"without `except` {' '.join(words)!r}", pattern._replace(exclude=_without(exceptions, at))


def _without(items: tuple[T, ...], at: int) -> tuple[T, ...]:
    return (*items[:at], *items[at + 1 :])

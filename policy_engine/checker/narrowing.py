"""Compute which optional values are present wherever a condition is true (or false).

`and`, `or` and `not` do not depend on operand order, so a guard anywhere in an `and` counts for all its operands, and
`not has x or …` guards the rest of the `or`. A value is named by its key: its text without spaces, with defines put in
place and variables numbered.
"""

from __future__ import annotations

from policy_engine.checker.scope import NO_GUARDS, Scope
from policy_engine.syntax import ast


def when_true(node: ast.Expr | None, scope: Scope) -> frozenset[str]:
    """Keys of the values that are present if the condition, where there is one, is true."""
    return _proved(node, scope, True)


def when_false(node: ast.Expr | None, scope: Scope) -> frozenset[str]:
    """Keys of the values that are present if the condition, where there is one, is false."""
    return _proved(node, scope, False)


def _proved(node: ast.Expr | None, scope: Scope, outcome: bool) -> frozenset[str]:
    if isinstance(node, ast.Has) and outcome:
        return prefixes(node.operand, scope)
    if isinstance(node, ast.And | ast.Or):
        each = [_proved(part, scope, outcome) for part in node.operands]
        return NO_GUARDS.union(*each) if isinstance(node, ast.And) is outcome else frozenset.intersection(*each)
    if isinstance(node, ast.Not):
        return _proved(node.operand, scope, not outcome)
    if isinstance(node, ast.Name) and _define(node, scope):
        info = scope.visible[node.name]
        if outcome not in info.proved:
            guards = NO_GUARDS if info.broken else _proved(info.node.value, scope.inside(info), outcome)
            info.proved[outcome] = guards
        return info.proved[outcome]
    return NO_GUARDS


def prefixes(node: ast.Expr, scope: Scope) -> frozenset[str]:
    """Return the keys of `a`, `a.b` and `a.b.c` for `a.b.c`: what has a part is there itself."""
    paths = set()
    at: ast.Expr | None = node
    while at is not None:
        name = key(at, scope)
        if name:
            paths.add(name)
        if name and isinstance(at, ast.Index):
            base = key(at.base, scope)
            paths.update(base + "".join(f"[{one!r}]" for one in at.keys[:end]) for end in range(1, len(at.keys)))
        at = at.base if isinstance(at, ast.Member | ast.Index) else None
    return frozenset(paths)


def key(node: ast.Expr, scope: Scope) -> str:
    """Return a value's name for guards, "" if it has none; two different values never share one."""
    match node:
        case ast.Name():
            return _name_key(node, scope)
        case ast.Member():
            base = key(node.base, scope)
            return f"{base}.{node.name}" if base else ""
        case ast.Index():
            base = key(node.base, scope)
            return base + "".join(f"[{one!r}]" for one in node.keys) if base else ""
        case ast.Call(callee=ast.Name(name=name)) if name in scope.visible:
            return ""  # a define of that name may mean something else in another file
        case ast.Call():
            callee = node.callee.name if isinstance(node.callee, ast.Name) else key(node.callee, scope)
            parts = [(part.label, key(part.value, scope)) for part in node.arguments]
            return f"{callee}{parts}" if all(name for _, name in parts) else ""
        case ast.StringLiteral() | ast.IntLiteral() | ast.BoolLiteral():
            return repr(node.value)
        case ast.Except():
            return f"{key(node.value, scope)} except {key(node.removed, scope)}"
        case ast.Else():
            value, default = key(node.value, scope), key(node.default, scope)
            return f"{value} else {default}" if value and default else ""
        case ast.Or():
            return " or ".join(sorted(key(part, scope) for part in node.operands))
        case _:
            return ""


def _name_key(node: ast.Name, scope: Scope) -> str:
    bound = scope.variables.get(node.name)
    if bound is not None:
        return f"{node.name}#{bound.variable.binding}"
    if _define(node, scope):
        info = scope.visible[node.name]
        if info.key is None:
            info.key = "" if info.broken else key(info.node.value, scope.inside(info))
        return info.key
    return node.name


def _define(node: ast.Name, scope: Scope) -> bool:
    return node.name in scope.visible and node.name not in scope.variables

"""Unite what several places add to one name, `define safe += command("jq ...")`, whatever the order."""

from __future__ import annotations

from policy_engine.checker import messages, tree
from policy_engine.checker.scope import DefineInfo, Names
from policy_engine.checker.tree import CommandPattern, GlobPattern
from policy_engine.model.types import ListType


def unite(info: DefineInfo, names: Names) -> None:
    """Give an open define the union of its parts; report a part that cannot be united with the first."""
    info.parts.sort(key=lambda part: (part.source.name, part.source.placed(part.node.span)))
    first, *others = info.parts
    info.broken = any(part.broken or part.value is None for part in info.parts)
    for part in info.parts if not info.broken else ():
        if part.value is not None and not _simple(part.value):
            names.findings.append(messages.not_open(part.place, part.node.name))
            info.broken = True
    for part in others if not info.broken else ():
        if part.value is not None and first.value is not None and not _alike(first.value, part.value):
            names.findings.append(messages.added_otherwise(part.place, part.node.name, first.place))
            info.broken = True
    if not info.broken and first.value is not None:
        info.value, info.pure = first.value, True
        for part in others:
            if part.value is not None:
                info.value = _united(info.value, part.value)
        sort = {GlobPattern: "glob", CommandPattern: "command"}
        if isinstance(info.value, tree.Constant) and isinstance(info.value.value, GlobPattern | CommandPattern):
            info.patterns[sort[type(info.value.value)]] = info.value.value


def _simple(value: tree.Expr) -> bool:
    if isinstance(value, tree.Constant):
        constant = value.value
        if isinstance(constant, CommandPattern):
            return not constant.exclude and constant.cwd is None
        return isinstance(constant, GlobPattern) and not constant.exclude
    return isinstance(value, tree.ListOf) and all(isinstance(item, tree.Constant) for item in value.items)


def _alike(left: tree.Expr, right: tree.Expr) -> bool:
    if isinstance(left.type, ListType) and isinstance(right.type, ListType):
        return "nothing" in (left.type.element.name, right.type.element.name) or left.type == right.type
    return left.type == right.type


def _united(left: tree.Expr, right: tree.Expr) -> tree.Expr:
    if isinstance(left, tree.ListOf) and isinstance(right, tree.ListOf):
        return tree.ListOf(left.place, right.type if not left.items else left.type, left.items + right.items)
    assert isinstance(left, tree.Constant) and isinstance(right, tree.Constant)
    one, other = left.value, right.value
    if isinstance(one, GlobPattern) and isinstance(other, GlobPattern):
        return tree.Constant(left.place, left.type, GlobPattern(tuple(dict.fromkeys(one.include + other.include))))
    assert isinstance(one, CommandPattern) and isinstance(other, CommandPattern)
    return tree.Constant(left.place, left.type, CommandPattern(tuple(dict.fromkeys(one.include + other.include))))

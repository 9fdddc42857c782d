"""Extract what a command must show for a condition about it to hold: its program, or a sign of its effects.

A sign is what `effects.command.signs` returns of a command: its name holds a `/`, which no program's name does. As for
all keys, a command that shows none of the values makes the condition decidedly false.
"""

from __future__ import annotations

from policy_engine.checker import tree

Signs = frozenset[object]

_LISTS = ("contents", "edits", "mentions", "replaces", "searched")
_OPAQUE = "opaque/"


def is_sign(value: object) -> bool:
    """Return whether a value is a sign of effects, and no program."""
    return "/" in str(value)


def command_keys(parts: list[tuple[tree.Expr, bool]], binding: int) -> Signs | None:
    """Return the programs and signs of which a command must show one for all parts to be as wanted, or None."""
    keys = smallest([_keys(node, binding, wanted) for node, wanted in parts])
    known = any(_is_opaque(node, binding, not wanted) for node, wanted in parts)
    return keys - {_OPAQUE} if keys is not None and known else keys


def _keys(node: tree.Expr, binding: int, wanted: bool) -> Signs | None:
    match node:
        case tree.Not():
            return _keys(node.operand, binding, not wanted)
        case tree.And() | tree.Or():
            if isinstance(node, tree.And) is wanted:
                return command_keys([(part, wanted) for part in node.operands], binding)
            return widest([_keys(part, binding, wanted) for part in node.operands])
        case tree.Comparison(
            op="==" | "in", left=tree.AttributeRef(base=tree.Variable(binding=number), name="program")
        ) if wanted and number == binding:
            return constants(node.right)
        case tree.Matches(subject=tree.Variable(binding=number), pattern=tree.CommandPattern() as pattern) if (
            wanted and number == binding and all(_plain_word(tokens[0]) for tokens in pattern.include)
        ):
            return frozenset(tokens[0] for tokens in pattern.include)
        case tree.Comparison(
            op="contains",
            left=tree.AttributeRef(base=tree.Variable(binding=number), name="effects"),
            right=tree.Constant(value=str() as word),
        ) if (
            wanted and number == binding and word != "executes-remote"
        ):  # which rules may find later (effects/taint.py)
            return frozenset((f"effects/{word}", "effects/*", _OPAQUE))
        case tree.AttributeRef(base=tree.Variable(binding=number), name="waits") if wanted and number == binding:
            return frozenset(("waits/",))
        case tree.Quantified(source=tree.AttributeRef(base=tree.Variable(binding=number), name=name)) if (
            number == binding and (node.kind, wanted) in (("any", True), ("every", False))
        ):
            return _list_keys(node, name, wanted)
        case _:
            return None


def _list_keys(node: tree.Quantified, name: str, wanted: bool) -> Signs | None:
    """Return what a command shows that has such a member in one of its lists."""
    if name in _LISTS:
        return frozenset((f"{name}/",))
    if name == "rewrites":
        return frozenset(("rewrites/", _OPAQUE))
    if name not in ("touches", "paths"):
        return None
    parts = [(node.body, wanted)] if node.where is None else [(node.body, wanted), (node.where, True)]
    keys = smallest([_access(part, node.binding, sign) for part, sign in parts]) or frozenset(("touches/",))
    return keys if name == "touches" else keys | {_OPAQUE}


def _access(node: tree.Expr, binding: int, wanted: bool) -> Signs | None:
    """Return the signs of paths with the access that a condition asks for, or None if any may do."""
    match node:
        case tree.Not():
            return _access(node.operand, binding, not wanted)
        case tree.And() | tree.Or():
            parts = [_access(part, binding, wanted) for part in node.operands]
            return smallest(parts) if isinstance(node, tree.And) is wanted else widest(parts)
        case tree.Comparison(
            op="==" | "!=",
            left=tree.AttributeRef(base=tree.Variable(binding=number), name="access"),
            right=tree.Constant(value=str() as access),
        ) if number == binding:
            if (node.op == "==") is wanted:
                return frozenset((f"touches/{access}",))
            return frozenset(("changes/",)) if access == "read" else None
        case _:
            return None


def _is_opaque(node: tree.Expr, binding: int, wanted: bool) -> bool:
    """Return whether the condition asks for a command that is opaque, or if not `wanted` for one that is not."""
    match node:
        case tree.Not():
            return _is_opaque(node.operand, binding, not wanted)
        case tree.AttributeRef(base=tree.Variable(binding=number), name="opaque"):
            return wanted and number == binding
        case _:
            return False


def _plain_word(token: str) -> bool:
    return token != "..." and "*" not in token and "/" not in token


def constants(node: tree.Expr) -> Signs | None:
    """Return the value of a constant, those of a list of constants, or None."""
    if isinstance(node, tree.Constant):
        return frozenset((node.value,))
    if isinstance(node, tree.ListOf) and all(isinstance(item, tree.Constant) for item in node.items):
        return frozenset(item.value for item in node.items if isinstance(item, tree.Constant))
    return None


def smallest(parts: list[Signs | None]) -> Signs | None:
    """Return the part with the fewest values: each is a key of what holds all together."""
    known = [part for part in parts if part is not None]
    return min(known, key=len) if known else None


def widest(parts: list[Signs | None]) -> Signs | None:
    """Return the values of all parts, of which one holds; None if one of them has none."""
    known = [part for part in parts if part is not None]
    return frozenset().union(*known) if len(known) == len(parts) else None

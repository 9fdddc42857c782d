"""Give a checked expression a key that is equal for expressions that always have the same value.

Operands of `and`, `or` and of lists of atoms are sorted, quantifiers' variables are numbered by depth: two rules that
say the same in other words of this sort have the same keys. Evaluation is pure, so one key has one value per event.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from policy_engine.checker import tree
from policy_engine.model.records import is_path
from policy_engine.model.types import ARGUMENT, DURATION, INT, TIME, EnumType, Type

Levels = Mapping[int, str]
"""Binding of a quantifier's variable → its name by depth (`#0`, `#1`)."""

_BOUNDS: dict[str, tuple[int, int | None]] = {
    "session.turn": (0, None),
    "session.steps": (0, None),
    "session.rounds": (0, None),
    "session.age": (0, None),
    "time.hour": (0, 23),
    "tool.args.size": (0, None),
}
"""Fields that the engine counts or computes itself; what a host sends may be any number."""


@dataclass(frozen=True, slots=True)
class Term:
    """Something with a value; `low` and `high` are the bounds known by nature.

    `exact`: it is text or a path that stands for itself alone, not for everything below it.
    """

    key: str
    type: Type = field(compare=False)
    low: int | None = field(default=None, compare=False)
    high: int | None = field(default=None, compare=False)

    @property
    def members(self) -> tuple[str, ...] | None:
        """The closed set of values, if the type is an enumeration."""
        return self.type.members if isinstance(self.type, EnumType) else None

    @property
    def whole(self) -> bool:
        """Return whether there is nothing between two neighbouring numbers."""
        return self.type in (INT, DURATION, TIME)

    @property
    def exact(self) -> bool:
        return not is_path(self.type) or not getattr(self.type, "attributes", ())

    @property
    def loose(self) -> bool:
        """A JSON value: it may turn out to have any type."""
        return self.type is ARGUMENT


def term(node: tree.Expr, levels: Levels) -> Term:
    """Return the term that an expression is."""
    low, high = _bounds(node)
    return Term(key(node, levels), node.type, low, high)


def _bounds(node: tree.Expr) -> tuple[int | None, int | None]:
    match node:
        case tree.CountOf() | tree.Quantified(kind="count") | tree.Measure():
            return 0, None
        case tree.FieldRef(name=name) if name.startswith("limit.") and name.endswith(".count"):
            return 0, None
        case tree.FieldRef(name=name):
            return _BOUNDS.get(name, (None, None))
        case tree.PredicateCall(function="file_size"):
            return 0, None
        case tree.Constant(value=value) if type(value) is int:
            return value, value
        case tree.Else():
            one, other = _bounds(node.value), _bounds(node.default)
            low = None if one[0] is None or other[0] is None else min(one[0], other[0])
            return low, None if one[1] is None or other[1] is None else max(one[1], other[1])
        case _:
            return None, None


def key(node: tree.Expr, levels: Levels) -> str:
    """Return the key of any expression."""
    match node:
        case tree.Constant():
            return f"{type(node.value).__name__}:{node.value!r}"
        case tree.FieldRef():
            return f"{node.name}({', '.join(key(part, levels) for part in node.key)})" if node.key else node.name
        case tree.ArgumentRef():
            return f"tool.args[{node.key!r}]"
        case tree.ItemRef():
            return f"{key(node.base, levels)}[{', '.join(map(repr, node.keys))}]"
        case tree.Measure():
            return f"{key(node.base, levels)}.{node.name}"
        case tree.Variable():
            return levels.get(node.binding, f"?{node.binding}")
        case tree.AttributeRef():
            return f"{key(node.base, levels)}.{node.name}"
        case tree.MethodCall():
            return f"{key(node.base, levels)}.{node.name}{node.arguments!r}"
        case tree.ListOf():
            return f"[{', '.join(key(item, levels) for item in node.items)}]"
        case tree.Else():
            return f"({key(node.value, levels)} else {key(node.default, levels)})"
        case tree.Comparison():
            return f"({key(node.left, levels)} {node.op} {key(node.right, levels)})"
        case tree.Matches():
            return f"({key(node.subject, levels)} matches {node.pattern!r})"
        case tree.PredicateCall():
            return f"{node.function}({', '.join(key(item, levels) for item in node.arguments)})"
        case tree.Quantified():
            return _quantified_key(node, levels)
        case tree.And() | tree.Or() | tree.Not() | tree.Has():
            return _connective_key(node, levels)
        case _:
            return _history_key(node, levels)


def _connective_key(node: tree.And | tree.Or | tree.Not | tree.Has, levels: Levels) -> str:
    match node:
        case tree.Not():
            return f"not {key(node.operand, levels)}"
        case tree.Has():
            return f"has {key(node.value, levels)}"
        case _:
            word = " and " if isinstance(node, tree.And) else " or "
            return f"({word.join(sorted({key(part, levels) for part in node.operands}))})"


def deeper(levels: Levels, binding: int) -> dict[int, str]:
    """Return the levels within a quantifier."""
    return {**levels, binding: f"#{len(levels)}"}


def _quantified_key(node: tree.Quantified, levels: Levels) -> str:
    inner = deeper(levels, node.binding)
    where = "" if node.where is None else f" where {key(node.where, inner)}"
    return f"{node.kind} {inner[node.binding]} in {key(node.source, levels)}{where} {{{key(node.body, inner)}}}"


def _history_key(node: tree.Expr, levels: Levels) -> str:
    match node:
        case tree.Happened():
            return atoms_key(node.atoms, levels)
        case tree.Since():
            return f"({atoms_key(node.left, levels)} since {atoms_key(node.right, levels)})"
        case tree.CountOf():
            since = atoms_key(node.since, levels) if node.since else ""
            return f"count({atoms_key(node.atoms, levels)}, {node.within}, {node.rounds}, {since})"
        case tree.LastOf():
            return f"last({atoms_key(node.atoms, levels)})"
        case tree.Changed():
            return f"changed({node.glob!r})"
        case _:
            raise TypeError(f"{type(node).__name__} is no expression of a condition")


def atoms_key(atoms: tuple[tree.Atom, ...], levels: Levels) -> str:
    """Return the key of atoms joined by `or`."""
    return " or ".join(sorted({_atom_key(atom, levels) for atom in atoms}))


def _atom_key(atom: tree.Atom, levels: Levels) -> str:
    of = key(atom.variable, levels) if atom.variable is not None else repr(atom.pattern)
    return f"{atom.kind}({of}, {atom.value!r})"

"""Find the smallest parts of conditions that are always or never true, each with what proves it."""

from __future__ import annotations

from dataclasses import dataclass

from policy_engine.analysis.conditions import Condition, called, conditions, parts, switches
from policy_engine.analysis.formula import Form, Switches, TooLarge, both, ways
from policy_engine.analysis.theory import Conflict, impossible
from policy_engine.checker import tree
from policy_engine.model.types import BOOL


@dataclass(frozen=True, slots=True)
class ConstantPart:
    """A part of a condition that has one value only, and what excludes the other one."""

    condition: Condition
    expr: tree.Expr
    value: bool
    proof: Conflict


def constant_parts(policy: tree.CheckedPolicy) -> list[ConstantPart]:
    """Return the smallest such parts of every condition."""
    known = switches(policy)
    parts = []
    for condition in conditions(policy):
        search = _Search(known, called(condition.listens, condition.expr))
        parts += [ConstantPart(condition, *part) for part in search.parts(condition.expr)]
    return parts


class _Search:
    """One walk from the leaves up; `around` is what the lifecycle point says of the tool.

    Above a part that was found nothing more is said: it is the cause of whatever else is constant there.
    """

    def __init__(self, known: Switches, around: Form) -> None:
        self.known = known
        self.around = around

    def parts(self, node: tree.Expr) -> list[tuple[tree.Expr, bool, Conflict]]:
        smaller = [
            smaller_part for part in parts(node) if not _plain_value(node, part) for smaller_part in self.parts(part)
        ]
        if smaller or isinstance(node, tree.Not) or node.type is not BOOL:
            return smaller
        for value in (False, True):
            proof = self._proof(node, not value)
            if proof is not None:
                return [(node, value, proof)]
        return []

    def _proof(self, node: tree.Expr, value: bool) -> Conflict | None:
        """Return why the node never has the value; None if it may."""
        if isinstance(node, tree.Constant) and (node.place.source.name, node.place.span.start) in self.known:
            return None
        try:
            return impossible(both([self.around, ways(node, value, self.known)]))
        except TooLarge:
            return None


def _plain_value(node: tree.Expr, part: tree.Expr) -> bool:
    """Return whether a node is a literal that is compared with something or stands in for what is absent: no
    condition.
    """
    return isinstance(node, tree.Comparison | tree.Else) and isinstance(part, tree.Constant)


def proof_text(conflict: Conflict) -> str:
    """Return what excludes what, in the user's words."""
    shown = [f"`{text}`" for text in dict.fromkeys(literal.text for literal in conflict)]
    if len(shown) < 2:
        return ""
    return f"{', '.join(shown[:-1])} and {shown[-1]} exclude each other"

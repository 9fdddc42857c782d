"""Find the fields that conditions read and that no coding agent of a choice ever sends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from policy_engine.adapters.base import Adapter
from policy_engine.analysis.conditions import below, conditions
from policy_engine.checker import tree


@dataclass(frozen=True, slots=True)
class Read:
    """A field that a condition of `owner` reads, and where."""

    owner: str
    field: str
    place: tree.Place


def unsent(policy: tree.CheckedPolicy, hosts: Sequence[Adapter]) -> Iterator[Read]:
    """Yield what is read and comes from none of the hosts, in text order of the conditions."""
    for condition in conditions(policy):
        for node in below(condition.expr):
            field = _field(node)
            if field and all(host.never_sends(field) for host in hosts):
                yield Read(getattr(condition.item, "id", ""), field, node.place)


def _field(node: tree.Expr) -> str:
    if isinstance(node, tree.FieldRef):
        return node.name
    return "todos" if isinstance(node, tree.PredicateCall) and node.function == "todos_converged" else ""

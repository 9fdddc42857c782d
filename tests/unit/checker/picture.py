"""A checked policy → text for golden files: every node on a line of its own, with its type, place and plain values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from policy_engine.checker.tree import CheckedPolicy, Expr, FieldRef, Place
from policy_engine.model.source import Source
from policy_engine.model.types import Type


def picture(policy: CheckedPolicy) -> str:
    """The whole policy; the same sources give the same text."""
    return "\n".join(_lines("policy", policy, "")) + "\n"


def _lines(name: str, value: Any, margin: str) -> Iterator[str]:
    """The value's own line, then those of its parts."""
    if not is_dataclass(value):
        yield f"{margin}{name} = {value!r}"
        return
    own, parts = [], []
    for part in fields(value):
        held = getattr(value, part.name)
        nodes = held if isinstance(held, tuple) and any(map(is_dataclass, held)) else (held,)
        if any(is_dataclass(node) and not isinstance(node, Type | Source) for node in nodes):
            parts += [(f"{part.name}[{number}]" if held is nodes else part.name, node)
                      for number, node in enumerate(nodes)]  # fmt: skip
        elif part.name not in ("place", "type", "sources") and not (held == () and isinstance(value, FieldRef)):
            own.append(f"{part.name}={held!r}")
    kind = type(value).__name__ + (f" {value.type.name}" if isinstance(value, Expr) else "")
    yield f"{margin}{name}: {kind}{_where(getattr(value, 'place', None))} {' '.join(own)}".rstrip()
    for name, node in parts:
        yield from _lines(name, node, margin + "  ")


def _where(place: Place | None) -> str:
    if place is None:
        return ""
    line, column = place.source.position(place.span.start)
    return f" {line}:{column} {place.text!r}"

"""Walk over the syntax tree of a Python file, as `inline.python` gives it, within a bound."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

_NODES = 40_000


def children_of(node: Any) -> Iterator[Any]:
    """Yield the nodes directly below one."""
    for field in getattr(node, "_fields", ()):
        value = getattr(node, field, None)
        for part in value if isinstance(value, list) else (value,):
            if hasattr(part, "_fields"):
                yield part


def below(node: Any) -> Iterator[Any]:
    """Yield a node and all below it, in the order of the text."""
    waiting, seen = [node], 0
    while waiting and seen < _NODES:
        at = waiting.pop()
        seen += 1
        yield at
        waiting.extend(reversed(list(children_of(at))))


def own_parts(node: Any) -> Iterator[Any]:
    """Yield the expressions of a statement, without those of the statements in it, nor what is `handled` already."""
    blocks = ("body", "orelse", "finalbody", "handlers", "targets", "target")
    waiting = [part for part in children_of(node) if not any(part in _listed(node, name) for name in blocks)]
    if type(node).__name__ == "ClassDef":
        return
    while waiting:
        at = waiting.pop()
        if getattr(at, "handled", False):
            continue
        yield at
        waiting.extend(children_of(at))


def _listed(node: Any, name: str) -> list[Any]:
    value = getattr(node, name, None)
    return value if isinstance(value, list) else []


def tells_nothing(node: Any) -> str:
    """Return why a function takes the tests, or an assertion, of unittest away; "" if it does not."""
    parameters = [one.arg for one in node.args.args]
    parts = list(below(node))
    if node.name == "load_tests" and len(parameters) == 3:
        used = {part.id for part in parts if type(part).__name__ == "Name"}
        return "" if parameters[1] in used else "`load_tests` leaves out the tests that were found"
    if node.name[:6] != "assert" or not node.name[6:7].isupper() or parameters[:1] != ["self"]:
        return ""
    asserts = any(type(part).__name__ in ("Raise", "Assert", "Call") for part in parts)
    return "" if asserts else f"`{node.name}` asserts nothing"

"""Find which functions of a module of the workspace Python code calls that imports it.

Imported by the hook path when a command starts a file of Python.
"""

from __future__ import annotations

from policy_engine.inline.python import parse_python

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_MOST = 16  # functions of one module


def called_of(text: str, module: str) -> tuple[str, ...]:
    """Return the functions of a module, by its last name, that the code imports and calls."""
    tree = parse_python(text) if module in text else None
    if tree is None:
        return ()
    names: dict[str, str] = {}
    owners: set[str] = set()
    nodes = list(_nodes(tree))
    for node in nodes:
        kind = type(node).__name__
        if kind == "ImportFrom" and (node.module or "").rpartition(".")[2] == module:
            names.update({alias.asname or alias.name: alias.name for alias in node.names})
        elif kind in ("Import", "ImportFrom"):
            owners |= {alias.asname or alias.name for alias in node.names if alias.name.rpartition(".")[2] == module}
    called = [_called(node.func, names, owners) for node in nodes if type(node).__name__ == "Call"]
    return tuple(dict.fromkeys(filter(None, called)))[:_MOST]


def _called(function: Any, names: dict[str, str], owners: set[str]) -> str:
    if type(function).__name__ == "Name":
        return names.get(function.id, "")
    parts: list[str] = []
    while type(function).__name__ == "Attribute":
        parts.insert(0, function.attr)
        function = function.value
    owner = ".".join([getattr(function, "id", ""), *parts[:-1]])
    return parts[-1] if parts and owner in owners else ""


def _nodes(tree: Any) -> Iterator[Any]:
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        for name in node._fields:
            value = getattr(node, name, None)
            waiting += [part for part in (value if isinstance(value, list) else [value]) if hasattr(part, "_fields")]

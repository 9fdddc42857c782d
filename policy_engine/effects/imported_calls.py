"""Find with what literal arguments Python code calls functions of a module of the workspace that it imports.

Imported by the hook path when a command starts a file of Python.
"""

from __future__ import annotations

from policy_engine.inline.python import parse_python
from policy_engine.inline.python_tables import PRINTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_MOST = 16  # calls of functions of one module
_UNKNOWN = "_"  # a name that a module does not know


def called_of(text: str, module: str) -> tuple[str, ...]:
    """Return the calls of functions of a module, by its last name, in code that imports it: `wipe("/srv", _)`, within
    `print(…)` where the code prints what they give.
    """
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
    lines = text.split("\n")
    calls = [(_called(node.func, names, owners), node) for node in nodes if type(node).__name__ == "Call"]
    shown = [one for name, node in _outer(nodes) if name in PRINTS for one in node.args]
    printed = {id(inner) for one in shown for inner in _nodes(one)}
    found = [(f"{name}({_arguments(node, lines)})", id(node) in printed) for name, node in calls if name]
    return tuple(dict.fromkeys(f"print({call})" if is_shown else call for call, is_shown in found))[:_MOST]


def _outer(nodes: list[Any]) -> Iterator[tuple[str, Any]]:
    """The calls among nodes, with the dotted name of what is called."""
    for node in nodes:
        if type(node).__name__ == "Call":
            yield _dotted(node.func), node


def _dotted(function: Any) -> str:
    parts: list[str] = []
    while type(function).__name__ == "Attribute":
        parts.insert(0, function.attr)
        function = function.value
    return ".".join([getattr(function, "id", ""), *parts])


def _arguments(call: Any, lines: list[str]) -> str:
    """Return the arguments as text, those that are no literals as an unknown name."""
    named = [f"{one.arg}={_literal(one.value, lines)}" for one in call.keywords if one.arg]
    return ", ".join([*(_literal(one, lines) for one in call.args), *named])


def _literal(node: Any, lines: list[str]) -> str:
    kinds = {type(part).__name__ for part in _nodes(node)}
    if node.lineno != node.end_lineno or not kinds <= {"Constant", "List", "Tuple", "Load"}:
        return _UNKNOWN
    line: bytes = lines[node.lineno - 1].encode("utf-8", "surrogateescape")  # columns count bytes
    return line[node.col_offset : node.end_col_offset].decode("utf-8", "surrogateescape")


def _called(function: Any, names: dict[str, str], owners: set[str]) -> str:
    owner, _, name = _dotted(function).rpartition(".")
    if not owner:
        return names.get(name, "") if type(function).__name__ == "Name" else ""
    return name if owner in owners else ""


def _nodes(tree: Any) -> Iterator[Any]:
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        for name in node._fields:
            value = getattr(node, name, None)
            waiting += [part for part in (value if isinstance(value, list) else [value]) if hasattr(part, "_fields")]

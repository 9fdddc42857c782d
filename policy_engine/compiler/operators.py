"""Emit the Python source of a comparison or a match from that of its operands; constants as literals."""

from __future__ import annotations

from typing import assert_never

from policy_engine.checker import tree
from policy_engine.model.types import ListType


def comparison(node: tree.Comparison, left: str, right: str) -> str:
    """`left op right`."""
    match node.op:
        case "==":
            return _equal(node, left, right)
        case "!=":
            return f"(not {_equal(node, left, right)})"
        case "<" | "<=" | ">" | ">=":
            return f"(number({left}) {node.op} number({right}))"
        case "in" | "not_in":
            test = _placed_in(left, right) if _of_paths(node) else f"among({left}, {right})"
            return test if node.op == "in" else f"(not {test})"
        case "contains":
            return _placed_in(right, left) if _of_paths(node) else f"holds({left}, {right})"
        case "starts_with":
            return f"text({left}).startswith(text({right}))"
        case "ends_with":
            return f"text({left}).endswith(text({right}))"
        case "under":
            return f"at_or_below({left}, {right}, e.filesystem)"
        case "inside":
            return f"below({left}, {right}, e.filesystem)"
        case "outside":
            return f"(not at_or_below({left}, {right}, e.filesystem))"
        case _:
            raise AssertionError(node.op)


def _equal(node: tree.Comparison, left: str, right: str) -> str:
    """Python's own `==` where both sides are known to be text, else the operator that compares types too."""
    kinds = {node.left.type.name, node.right.type.name}
    if "Path" in kinds:
        return f"(place({left}, e.filesystem) == place({right}, e.filesystem))"
    if _of_paths(node):
        return f"same_places({left}, {right}, e.filesystem)"
    return f"({left} == {right})" if kinds == {"String"} else f"same({left}, {right})"


def _of_paths(node: tree.Comparison) -> bool:
    """Return whether paths are compared, alone or in lists: a text beside them is read as one."""
    types = [side.type for side in (node.left, node.right)]
    return any("Path" in (one.name, one.element.name if isinstance(one, ListType) else "") for one in types)


def _placed_in(value: str, choices: str) -> str:
    return f"placed_among({value}, {choices}, e.filesystem)"


def match_of(node: tree.Matches, subject: str) -> str:
    """`subject matches pattern`."""
    match node.pattern:
        case tree.GlobPattern():
            return f"matches_glob({subject}, {tuple(node.pattern)!r}, e.filesystem)"
        case tree.RegexPattern():
            return f"matches_regex({subject}, {tuple(node.pattern)!r})"
        case tree.CommandPattern():
            return f"command_matches({_command_constant(node.pattern)!r}, {subject}, e.filesystem)"
        case _:
            assert_never(node.pattern)


def constant(value: object) -> str:
    """Return a literal; a pattern becomes a plain tuple, so that a Program can be marshalled."""
    return repr(tuple(value) if isinstance(value, tuple) else value)


def _command_constant(pattern: tree.CommandPattern) -> tuple[object, ...]:
    """Return a command pattern as nested plain tuples."""
    return (pattern.include, pattern.exclude, None if pattern.cwd is None else tuple(pattern.cwd))

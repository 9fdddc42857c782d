"""Operands → the answer of an operator of the language; the vocabulary of generated code.

Values are those of checker/tree.py. An operand that does not have the type it needs at run time (only a host's
argument can) is undecided, never false; equality of two values of different JSON types is false, since it is known.
"""

from __future__ import annotations

from policy_engine.model.globs import glob_matches
from policy_engine.model.paths import PathValue
from policy_engine.model.regexes import search
from policy_engine.model.undecided import ABSENT, Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.model.world import World


def present(value: Any, name: str) -> Any:
    """The value of an optional field that a guard promised; undecided if it is absent after all."""
    if value is ABSENT:
        raise Undecided(f"`{name}` is absent")
    return value


def same(left: Any, right: Any) -> bool:
    """Equality without Python's `True == 1`; a path equals a text that names the same place as written."""
    kind, other = type(left), type(right)
    if kind is other:
        return bool(left == right)
    if kind is PathValue and other is str:
        return bool(left.text == right or left.real == right)
    if other is PathValue and kind is str:
        return bool(right.text == left or right.real == left)
    if kind in (int, float) and other in (int, float):
        return bool(left == right)
    return kind in (list, tuple) and other in (list, tuple) and list(left) == list(right)


def among(value: Any, choices: tuple[Any, ...]) -> bool:
    """`value in [a, b]`."""
    return any(same(value, choice) for choice in choices)


def number(value: Any) -> Any:
    """An operand of `<`; undecided if the host sent no number."""
    if type(value) is int or type(value) is float:
        return value
    raise Undecided(f"{_kind(value)} is not a number")


def text(value: Any) -> str:
    """An operand that must be text; a path gives its text."""
    if type(value) is str:
        return value
    if type(value) is PathValue:
        return value.text
    raise Undecided(f"{_kind(value)} is not text")


def holds(container: Any, item: Any) -> bool:
    """`container contains item`: a text holds a text, a list holds an element."""
    if type(container) is str:
        return text(item) in container
    if type(container) in (list, tuple):
        return any(same(element, item) for element in container)
    return text(item) in text(container)


def at_or_below(path: PathValue, folder: Any, world: World) -> bool:
    """`path under folder`."""
    base = place(folder, world)
    return path.real == base or path.real.startswith(base if base.endswith("/") else base + "/")


def below(path: PathValue, folder: Any, world: World) -> bool:
    """`path inside folder`: strictly below."""
    base = place(folder, world)
    return path.real != base and path.real.startswith(base if base.endswith("/") else base + "/")


def place(folder: Any, world: World) -> str:
    """The real path of a folder given as a path or as text relative to the workspace."""
    if type(folder) is PathValue:
        return str(folder.real)
    return str(world.resolve(text(folder), world.workspace).real)


def matches_glob(subject: Any, pattern: tuple[Any, ...], world: World) -> bool:
    """A path, or text read as a path relative to the workspace, against a glob pattern."""
    path = subject if type(subject) is PathValue else world.resolve(text(subject), world.workspace)
    return glob_matches(pattern, world.relative(path), path.real)


def matches_regex(subject: Any, pattern: tuple[Any, ...]) -> bool:
    """Unanchored search."""
    return search(pattern, text(subject))


def _kind(value: Any) -> str:
    names = {bool: "a true/false value", int: "a number", float: "a number", str: "a text", list: "a list", dict: "an object"}
    return "null" if value is None else names.get(type(value), "this value")

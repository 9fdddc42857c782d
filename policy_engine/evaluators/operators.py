"""The operators of the language as functions; the vocabulary of generated code.

Values are those of checker/tree.py. An operand that does not have the type it needs at run time (only a host's
argument can) is undecided, never false; equality of two values of different JSON types is false, since it is known.
"""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue, may_be_none, number_of, under
from policy_engine.filesystem.paths import below as strictly_below
from policy_engine.model.partial import UNKNOWN_PART
from policy_engine.model.undecided import ABSENT, Between, Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from policy_engine.filesystem.file_system import FileSystem


_NUMBERS = (int, float, Between)


def present(value: Any, name: str) -> Any:
    """Return the value of an optional field that a guard promised; undecided if it is absent after all."""
    if value is ABSENT:
        raise Undecided(f"`{name}` is absent")
    return value


def otherwise(value: Any, default: Callable[[], Any]) -> Any:
    """`value else default`."""
    return default() if value is ABSENT else value


def attribute(record: Any, name: str) -> Any:
    """Return an attribute of a record that may itself be absent."""
    return ABSENT if record is ABSENT else getattr(record, name)


def item(value: Any, keys: tuple[str, ...]) -> Any:
    """Return the value within a host's value; ABSENT where an object, or nothing at all, lacks a key.

    Raises:
        Undecided: a key is asked of what is no object.
    """
    for key in keys:
        if value is ABSENT or value is None:
            return ABSENT
        if type(value) is not dict:
            raise Undecided(f"`{key[:80]}` is asked of {_kind(value)}, which is no object")
        value = value.get(key, ABSENT)
    return value


def elements(value: Any) -> Any:
    """Return the members of a host's value, which must be a list."""
    if type(value) in (list, tuple):
        return value
    raise Undecided(f"{_kind(value)} is not a list")


def parts_of(value: Any, name: str) -> Any:
    """Return the `keys` or the `values` of a host's object; ABSENT of what is absent or null."""
    if value is ABSENT or value is None:
        return ABSENT
    if type(value) is not dict:
        raise Undecided(f"{_kind(value)} has no {name}")
    return tuple(value.values() if name == "values" else value)


def length_of(value: Any) -> int | Between:
    """Return how many characters a text has, members a list, keys an object."""
    if type(value) in (str, list, dict):
        return len(value)
    if not isinstance(value, tuple):
        raise Undecided(f"{_kind(value)} has no length")
    several = [member for member in value if number_of(member)]
    if any(member.number != "maybe" for member in several):
        raise Undecided(*{member.reason for member in several})
    reasons = {member.reason for member in several}
    return Between(len(value) - len(several), len(value), *reasons) if several else len(value)


def lines_of(value: Any) -> int:
    """Return how many lines a text has."""
    content = text(value)
    return content.count("\n") + (content != "" and content[-1] != "\n")


def same(left: Any, right: Any) -> bool:
    """Equality without Python's `True == 1`; a path equals a text that names the same place as written."""
    kind, other = type(left), type(right)
    if isinstance(left, list | tuple) and isinstance(right, list | tuple):
        return _alike(left, right, same)
    if kind is other:
        return bool(left == right)
    if kind is PathValue and other is str:
        return bool(left.text == right or left.real == right)
    if other is PathValue and kind is str:
        return bool(right.text == left or right.real == left)
    return kind in _NUMBERS and other in _NUMBERS and bool(left == right)


def _alike(left: Any, right: Any, equal: Callable[[Any, Any], bool]) -> bool:
    """Lists, pair by pair: an open one (model/effects.py) is asked for no more than it takes to tell them apart.

    Raises:
        Undecided: a member stands for several paths, or for none, and nothing else tells the lists apart.
    """
    lefts, rights = iter(left), iter(right)
    doubts: list[str] = []
    while True:
        one, two = next(lefts, ABSENT), next(rights, ABSENT)
        if one is ABSENT and two is ABSENT:
            break
        several: list[Any] = [member for member in (one, two) if number_of(member)]
        if one is ABSENT or two is ABSENT:
            if not several or not may_be_none(several[0]):
                return False
            doubts.append(several[0].reason)
        elif several:
            raise Undecided(several[0].reason)
        elif not equal(one, two):
            return False
    if doubts:
        raise Undecided(*doubts)
    return True


def doubted(members: Any) -> Any:
    """Return a list of paths in which those that are perhaps touched may stand for none."""
    if members is ABSENT or not any(member.perhaps for member in members):
        return members
    return tuple(member.doubted for member in members)


def sure_members(members: Any, counted: bool) -> Any:
    """Return the members of a list of paths or commands, for the plain test of a rule.

    Raises:
        Undecided: a member may stand for none (or, where members are counted, for several); the traced twin decides.
    """
    for member in members:
        if may_be_none(member) or (counted and member.number):
            raise Undecided(member.reason)
    return members


def placed_among(value: Any, choices: Any, filesystem: FileSystem) -> bool:
    """Return whether a list of paths has the path, or the text that is read as one.

    Raises:
        Undecided: no known member is it, and one that is not known, or may stand for none, may be.
    """
    reasons: set[str] = set()
    for choice in choices:
        try:
            if place(choice, filesystem) == place(value, filesystem):
                if not may_be_none(choice):
                    return True
                reasons.add(choice.reason)
        except Undecided as unknown:
            reasons.update(unknown.reasons)
    if reasons:
        raise Undecided(*reasons)
    return False


def same_places(left: Any, right: Any, filesystem: FileSystem) -> bool:
    """Lists of paths, or of texts read as paths."""
    return _alike(left, right, lambda one, two: place(one, filesystem) == place(two, filesystem))


def among(value: Any, choices: tuple[Any, ...]) -> bool:
    """`value in [a, b]`."""
    return any(same(value, choice) for choice in choices)


def number(value: Any) -> Any:
    """Return an operand of `<`; undecided if the host sent no number."""
    if type(value) in _NUMBERS:
        return value
    raise Undecided(f"{_kind(value)} is not a number")


def text(value: Any) -> str:
    """Return an operand that must be text; a path gives its text."""
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
    if isinstance(container, tuple):
        return text(item) in container  # an open one decides itself (model/effects.py)
    return text(item) in text(container)


def at_or_below(path: Any, folder: Any, filesystem: FileSystem) -> bool:
    """`path under folder`."""
    return under(filesystem.folded(path_of(path, filesystem).place), filesystem.folded(place(folder, filesystem)))


def below(path: Any, folder: Any, filesystem: FileSystem) -> bool:
    """`path inside folder`: strictly below."""
    return strictly_below(
        filesystem.folded(path_of(path, filesystem).place), filesystem.folded(place(folder, filesystem))
    )


def path_of(value: Any, filesystem: FileSystem) -> PathValue:
    """Return a path, or text read as a path relative to the workspace."""
    return value if type(value) is PathValue else filesystem.resolve(text(value), filesystem.workspace)


def place(value: Any, filesystem: FileSystem) -> str:
    """Return the real path of a path, or of text read as one."""
    return path_of(value, filesystem).real


def matches_glob(subject: Any, pattern: tuple[Any, ...], filesystem: FileSystem) -> bool:
    """Match a path, or text read as a path relative to the workspace, against a glob pattern; no text is no path."""
    return subject != "" and filesystem.matches(pattern, path_of(subject, filesystem))


_ENDS = ("$", "\\b", "\\B", "\\z")  # what asks where a text ends, which a text that is known in part does not say


def matches_regex(subject: Any, pattern: tuple[Any, ...]) -> bool:
    """Unanchored search in a text, or in a path as it was written.

    Raises:
        Undecided: the text is known in part, and what is known does not settle it.
    """
    from policy_engine.model.regexes import search  # it may load a C extension

    if type(subject) is PathValue and subject.loose:
        return search(pattern, subject.text.replace(UNKNOWN_PART, "0"))
    if type(subject) is PathValue and not subject.known:
        head, unknown, _ = subject.text.partition(UNKNOWN_PART)
        if unknown and (any(end in pattern[0] for end in _ENDS) or not search(pattern, head)):
            raise Undecided(subject.reason)
    return search(pattern, text(subject))


def _kind(value: Any) -> str:
    names = {
        bool: "a true/false value",
        int: "a number",
        float: "a number",
        str: "a text",
        list: "a list",
        dict: "an object",
    }
    return "null" if value is None else names.get(type(value), "this value")

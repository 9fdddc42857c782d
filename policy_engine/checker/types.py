"""The operator table of the language: whether two types and an operator go together.

    operator                     left                       right
    == !=                        any of one type; Path or enumeration also with String; an argument or value of a
                                 file with String, Int, Bool or another such value; a list with a list
    < <= > >=                    Int, Duration or Time      the same; an argument with Int
    in, not in                   an element                 a list of such elements
    contains                     String or argument         String
                                 a list                     an element
    starts_with ends_with        String or argument         String
    matches                      String, Path, argument     Regex or Glob
                                 Command                    Command pattern
    under inside outside         Path                       Path or String
    since                        history atoms              history atoms

An argument (`tool.args["k"]`, `json_value(…)`) takes the type of the other side; if it turns out to have another one,
`==`, `!=` and `in` know that the two differ, and every other operator is undecided.
"""

from __future__ import annotations

from policy_engine.model.records import is_path
from policy_engine.model.types import (
    ARGUMENT,
    BOOL,
    COMMAND_PATTERN,
    DURATION,
    ERROR,
    GLOB,
    INT,
    OPAQUE,
    REGEX,
    STRING,
    TIME,
    EnumType,
    ListType,
    RecordType,
    Type,
)

SCALARS = (BOOL, INT, DURATION, TIME, STRING, OPAQUE)
PATTERNS = (GLOB, REGEX, COMMAND_PATTERN)
NO_ELEMENT = Type("nothing")  # the element of `[]`

_ARGUMENT_AS = (STRING, INT, BOOL)


def equal(left: Type, right: Type) -> bool:
    """Return whether `==` takes the two types, in either order."""
    if left == right:
        return left in SCALARS or left is ARGUMENT or isinstance(left, EnumType | ListType) or is_path(left)
    if left is ERROR or right is ERROR:
        return True
    return _equal(left, right) or _equal(right, left)


def _equal(left: Type, right: Type) -> bool:
    if left is ARGUMENT:
        return right in _ARGUMENT_AS or isinstance(right, EnumType)
    if is_path(left):
        return is_path(right) or right == STRING
    if isinstance(left, EnumType):
        return right == STRING
    if isinstance(left, ListType) and isinstance(right, ListType):
        return NO_ELEMENT in (left.element, right.element) or equal(left.element, right.element)
    return False


def ordered(left: Type, right: Type) -> bool:
    """Return whether `<` takes the two types."""
    if left == right:
        return left in (INT, DURATION, TIME)
    return {left, right} == {ARGUMENT, INT}


def contains(left: Type, right: Type) -> bool:
    """Return whether `contains` takes the two types."""
    if isinstance(left, ListType):
        return equal(left.element, right)
    return textual(left) and textual(right)


def textual(type_: Type) -> bool:
    """Return whether a type is a text, or may turn out to be one."""
    return type_ in (STRING, ARGUMENT) or isinstance(type_, EnumType)


def within(left: Type, right: Type) -> bool:
    """Return whether `under`, `inside` and `outside` take the two types."""
    return is_path(left) and (is_path(right) or right == STRING)


def fits(operator: str, left: Type, right: Type) -> bool:
    """Return whether an operator that gives a Bool takes the two types; not for `matches` and `since`."""
    if left is ERROR or right is ERROR:
        return True
    match operator:
        case "==" | "!=":
            return equal(left, right)
        case "<" | "<=" | ">" | ">=":
            return ordered(left, right)
        case "in" | "not_in":
            return isinstance(right, ListType) and equal(right.element, left)
        case "contains":
            return contains(left, right)
        case "starts_with" | "ends_with":
            return textual(left) and textual(right)
        case _:
            return within(left, right)


def described(type_: Type) -> str:
    """Return a type as a message names it: `a Bool`, `an Int`, `a list of String`."""
    if isinstance(type_, ListType):
        return "an empty list" if type_.element is NO_ELEMENT else f"a list of {type_.element.name}"
    names = {
        "Glob": "a glob",
        "Regex": "a regex",
        "Opaque": "a digest or record",
        "Argument": "a value of unknown type",
    }
    plain = names.get(type_.name)
    if plain is not None:
        return plain
    if type_ is COMMAND_PATTERN:
        return "a command pattern"
    if isinstance(type_, RecordType) and type_.name == "Fact":
        return "a record of the past"
    return f"{'an' if type_.name[0] in 'AEIOUaeiou' else 'a'} {type_.name}"

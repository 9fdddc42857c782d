"""The types of the language: what a field, a function or an expression holds. Checker ground, not on the hook path."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Type:
    """A type; `name` is what error messages call it."""

    name: str


@dataclass(frozen=True, slots=True)
class ListType(Type):
    """A list (or set) of one element type."""

    element: Type = Type("?")


@dataclass(frozen=True, slots=True)
class EnumType(Type):
    """A closed set of words; compares with the string literals in `members` only.

    `advice` is said of another word, beside the members.
    """

    members: tuple[str, ...] = ()
    advice: str = ""


@dataclass(frozen=True, slots=True)
class RecordType(Type):
    """A record; `attributes` maps a name to its attribute, `text` names the attribute printed for `{x}`."""

    attributes: tuple[Attribute, ...] = ()

    def attribute(self, name: str) -> Attribute | None:
        return next((a for a in self.attributes if a.name == name), None)


@dataclass(frozen=True, slots=True)
class Attribute:
    """A field of a record. A method has `arguments`; `variadic` methods take one or more of that type.

    `read_as` is what the run-time value calls it, if that is another name: what rules may know of it. `derived`: the
    analysis of a command's effects gives it, not the command itself.
    """

    name: str
    type: Type
    doc: str
    optional: bool = False
    method: bool = False
    arguments: tuple[Type, ...] = ()
    read_as: str = ""
    derived: bool = False


BOOL = Type("Bool")
INT = Type("Int")
DURATION = Type("Duration")  # milliseconds at run time
TIME = Type("Time")  # milliseconds since the epoch at run time
STRING = Type("String")
GLOB = Type("Glob")
REGEX = Type("Regex")
COMMAND_PATTERN = Type("Command")
ARGUMENT = Type("Argument")  # a JSON value of the host: takes the type of what it is compared with, or is undecided
OPAQUE = Type("Opaque")  # a digest or whole record: may be a key of a limit and be compared for equality
ERROR = Type("?")  # already reported; agrees with everything

ACCESS = EnumType("Access", ("read", "write", "delete"))
PATH_PART = RecordType("Path")
PATH = RecordType(
    "Path",
    (
        Attribute("access", ACCESS, "how the call would touch it: read, write or delete"),
        Attribute("recursive", BOOL, "everything below it is touched too", read_as="reaches_below"),
        Attribute("any_part", PATH_PART, "for `matches`: whether it, or anything below a recursive one, may match"),
        Attribute("every_part", PATH_PART, "for `matches`: whether it, and all below a recursive one, matches"),
    ),
)


def list_of(element: Type) -> ListType:
    """The list type of an element type."""
    return ListType(f"List of {element.name}", element)

"""The syntax tree of a shell script: plain values with their place in the source, nothing that runs.

A word is a list of parts; a part tells whether it was quoted. `Unparsed` stands for what the parser does not
understand, over the smallest part or command that holds it. Imported by the hook path.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias, dataclass_transform
else:

    def dataclass_transform():
        """Type checkers know by it that the fields are given in order."""
        return lambda made: made


@dataclass_transform()
class Fields(type):
    """The type of classes whose annotations are their slots, and what their values are given, the base's first."""

    def __new__(cls, name: str, bases: tuple[type, ...], members: dict[str, Any]) -> Fields:
        """Make a class."""
        own = tuple(members.get("__annotations__", ()))
        before = tuple(field for base in bases for field in getattr(base, "_fields", ()))
        return type.__new__(cls, name, bases, {**members, "__slots__": own, "_fields": before + own})


class Value(metaclass=Fields):
    """A value that holds what it is given."""

    if not TYPE_CHECKING:

        def __init__(self, *values):
            any(map(setattr, (self,) * len(values), self._fields, values))


class Node(Value):
    """Something between two offsets of a source text."""

    source: str
    start: int
    end: int

    @property
    def text(self) -> str:
        """The node as it was written."""
        return self.source[self.start : self.end]


# ---- words -----------------------------------------------------------------------------------------------------------


class Text(Value):
    """Literal characters; unquoted ones may still be a glob's, a brace's or a tilde."""

    text: str
    quoted: bool


class Parameter(Value):
    """`$name`, `$1`, `$@`."""

    name: str
    quoted: bool


class Expansion(Node):
    """`${…}`: `mark` is `!` or `#` before the name, `name` "" if there is none; `subscript` what stands in `[…]`, None
    without one; `argument` the parts behind the operator."""

    mark: str
    name: str
    subscript: tuple[Part, ...] | None
    operator: str
    argument: tuple[Part, ...]
    quoted: bool


class Substitution(Node):
    """`$(…)`, `` `…` ``, `<(…)`, `>(…)`; `form` is what it begins with."""

    form: str
    body: Sequence
    quoted: bool


class Arithmetic(Node):
    """`$((…))`, `$[…]`, or the inside of `((…))`; `parts` are the expansions in it."""

    parts: tuple[Part, ...]


class Pattern(Node):
    """An extended glob, `@(a|b)`; `parts` are the expansions in it."""

    parts: tuple[Part, ...]


class Unparsed(Node):
    """Text whose meaning is not known, and why; a part of a word."""

    reason: str


class Word(Node):
    """One word, up to the next blank or operator."""

    parts: tuple[Part, ...]

    def literal(self) -> str | None:
        """The text of a word without quotes and expansions, else None."""
        if len(self.parts) == 1:
            (part,) = self.parts
            if type(part) is Text and not part.quoted:
                return part.text
        return None


class Assignment(Node):
    """`NAME=value`, `NAME+=value`, `NAME[…]=value`, `NAME=(…)`; `elements` None if it is no array."""

    name: str
    appends: bool
    subscript: tuple[Part, ...] | None
    value: tuple[Part, ...]
    elements: tuple[Word, ...] | None


class Document(Value):
    """The text of a here-document; `parts` None if its delimiter was quoted."""

    text: str
    parts: tuple[Part, ...] | None


class Redirection(Node):
    """`2>file`: `number` is "" or what stands before the operator; `document` of a here-document only."""

    number: str
    operator: str
    target: Word
    document: Document | None


# ---- commands --------------------------------------------------------------------------------------------------------


class Sequence(Node):
    """Commands one after the other, each with whether `&` follows it."""

    items: tuple[tuple[Command, bool], ...]


class AndOr(Node):
    """`a && b || c`: pairs of the operator before a command ("" for the first) and the command."""

    items: tuple[tuple[str, Command], ...]


class Pipeline(Node):
    """`! time a | b`: the keywords before it, and its commands; none behind a lone `time` or `!`."""

    keywords: tuple[str, ...]
    commands: tuple[Command, ...]


class Simple(Node):
    """`A=1 name word >file`; words of `export` and its kin may be assignments."""

    assignments: tuple[Assignment, ...]
    words: tuple[Word | Assignment, ...]
    redirections: tuple[Redirection, ...]


class Compound(Node):
    """A command that holds others, with its redirections."""

    redirections: tuple[Redirection, ...]


class Group(Compound):
    """`{ …; }`, or `( … )` if it is a subshell."""

    subshell: bool
    body: Sequence


class If(Compound):
    """`if`: pairs of condition and body, and the body of `else`."""

    branches: tuple[tuple[Sequence, Sequence], ...]
    otherwise: Sequence | None


class While(Compound):
    """`while` and `until`."""

    condition: Sequence
    body: Sequence


class For(Compound):
    """`for` and `select`; `words` None without `in`."""

    select: bool
    name: str
    words: tuple[Word, ...] | None
    body: Sequence


class ArithmeticFor(Compound):
    """`for ((…; …; …))`."""

    expression: Arithmetic
    body: Sequence


class Case(Compound):
    """`case`: the word, and for each clause its patterns and body."""

    word: Word
    clauses: tuple[tuple[tuple[Word, ...], Sequence], ...]


class Test(Compound):
    """`[[ … ]]`: its words and operators in order."""

    items: tuple[Word | str, ...]


class ArithmeticCommand(Compound):
    """`((…))`."""

    expression: Arithmetic


class Function(Node):
    """`name() body`."""

    name: str
    body: Compound


class Coprocess(Node):
    """`coproc NAME command`; `name` "" without one."""

    name: str
    command: Command


if TYPE_CHECKING:
    Part: TypeAlias = Text | Parameter | Expansion | Substitution | Arithmetic | Pattern | Unparsed
    Command: TypeAlias = AndOr | Pipeline | Simple | Compound | Function | Coprocess

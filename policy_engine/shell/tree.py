"""The syntax tree of a shell script: plain values with their place in the source, nothing that runs.

A word is a list of parts; a part tells whether it was quoted. `Unparsed` stands for what the parser does not
understand, over the smallest part or command that holds it. Imported by the hook path.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias


class Node:
    """Something between two offsets of a source text."""

    __slots__ = ("source", "start", "end")

    def __init__(self, source: str, start: int, end: int) -> None:
        self.source = source
        self.start = start
        self.end = end

    @property
    def text(self) -> str:
        """The node as it was written."""
        return self.source[self.start : self.end]


# ---- words -----------------------------------------------------------------------------------------------------------


class Text:
    """Literal characters; unquoted ones may still be a glob's, a brace's or a tilde."""

    __slots__ = ("text", "quoted")

    def __init__(self, text: str, quoted: bool) -> None:
        self.text = text
        self.quoted = quoted


class Parameter:
    """`$name`, `$1`, `$@`."""

    __slots__ = ("name", "quoted")

    def __init__(self, name: str, quoted: bool) -> None:
        self.name = name
        self.quoted = quoted


class Expansion(Node):
    """`${…}`: `mark` is `!` or `#` before the name, `name` "" if there is none; `subscript` what stands in `[…]`, None
    without one; `argument` the parts behind the operator."""

    __slots__ = ("mark", "name", "subscript", "operator", "argument", "quoted")

    def __init__(
        self,
        source: str,
        start: int,
        end: int,
        mark: str,
        name: str,
        subscript: tuple[Part, ...] | None,
        operator: str,
        argument: tuple[Part, ...],
        quoted: bool,
    ) -> None:
        super().__init__(source, start, end)
        self.mark = mark
        self.name = name
        self.subscript = subscript
        self.operator = operator
        self.argument = argument
        self.quoted = quoted


class Substitution(Node):
    """`$(…)`, `` `…` ``, `<(…)`, `>(…)`; `form` is what it begins with."""

    __slots__ = ("form", "body", "quoted")

    def __init__(self, source: str, start: int, end: int, form: str, body: Sequence, quoted: bool) -> None:
        super().__init__(source, start, end)
        self.form = form
        self.body = body
        self.quoted = quoted


class Arithmetic(Node):
    """`$((…))`, `$[…]`, or the inside of `((…))`; `parts` are the expansions in it."""

    __slots__ = ("parts",)

    def __init__(self, source: str, start: int, end: int, parts: tuple[Part, ...]) -> None:
        super().__init__(source, start, end)
        self.parts = parts


class Pattern(Node):
    """An extended glob, `@(a|b)`; `parts` are the expansions in it."""

    __slots__ = ("parts",)

    def __init__(self, source: str, start: int, end: int, parts: tuple[Part, ...]) -> None:
        super().__init__(source, start, end)
        self.parts = parts


class Unparsed(Node):
    """Text whose meaning is not known, and why; a part of a word."""

    __slots__ = ("reason",)

    def __init__(self, source: str, start: int, end: int, reason: str) -> None:
        super().__init__(source, start, end)
        self.reason = reason


class Word(Node):
    """One word, up to the next blank or operator."""

    __slots__ = ("parts",)

    def __init__(self, source: str, start: int, end: int, parts: tuple[Part, ...]) -> None:
        super().__init__(source, start, end)
        self.parts = parts

    def literal(self) -> str | None:
        """The text of a word without quotes and expansions, else None."""
        if len(self.parts) == 1:
            (part,) = self.parts
            if type(part) is Text and not part.quoted:
                return part.text
        return None


class Assignment(Node):
    """`NAME=value`, `NAME+=value`, `NAME[…]=value`, `NAME=(…)`; `elements` None if it is no array."""

    __slots__ = ("name", "appends", "subscript", "value", "elements")

    def __init__(
        self,
        source: str,
        start: int,
        end: int,
        name: str,
        appends: bool,
        subscript: tuple[Part, ...] | None,
        value: tuple[Part, ...],
        elements: tuple[Word, ...] | None,
    ) -> None:
        super().__init__(source, start, end)
        self.name = name
        self.appends = appends
        self.subscript = subscript
        self.value = value
        self.elements = elements


class Document:
    """The text of a here-document; `parts` None if its delimiter was quoted."""

    __slots__ = ("text", "parts")

    def __init__(self, text: str, parts: tuple[Part, ...] | None) -> None:
        self.text = text
        self.parts = parts


class Redirection(Node):
    """`2>file`: `number` is "" or what stands before the operator; `document` of a here-document only."""

    __slots__ = ("number", "operator", "target", "document")

    def __init__(self, source: str, start: int, end: int, number: str, operator: str, target: Word) -> None:
        super().__init__(source, start, end)
        self.number = number
        self.operator = operator
        self.target = target
        self.document: Document | None = None


# ---- commands --------------------------------------------------------------------------------------------------------


class Sequence(Node):
    """Commands one after the other, each with whether `&` follows it."""

    __slots__ = ("items",)

    def __init__(self, source: str, start: int, end: int, items: tuple[tuple[Command, bool], ...]) -> None:
        super().__init__(source, start, end)
        self.items = items


class AndOr(Node):
    """`a && b || c`: pairs of the operator before a command ("" for the first) and the command."""

    __slots__ = ("items",)

    def __init__(self, source: str, start: int, end: int, items: tuple[tuple[str, Command], ...]) -> None:
        super().__init__(source, start, end)
        self.items = items


class Pipeline(Node):
    """`! time a | b`: the keywords before it, and its commands; none behind a lone `time` or `!`."""

    __slots__ = ("keywords", "commands")

    def __init__(
        self, source: str, start: int, end: int, keywords: tuple[str, ...], commands: tuple[Command, ...]
    ) -> None:
        super().__init__(source, start, end)
        self.keywords = keywords
        self.commands = commands


class Simple(Node):
    """`A=1 name word >file`; words of `export` and its kin may be assignments."""

    __slots__ = ("assignments", "words", "redirections")

    def __init__(
        self,
        source: str,
        start: int,
        end: int,
        assignments: tuple[Assignment, ...],
        words: tuple[Word | Assignment, ...],
        redirections: tuple[Redirection, ...],
    ) -> None:
        super().__init__(source, start, end)
        self.assignments = assignments
        self.words = words
        self.redirections = redirections


class Compound(Node):
    """A command that holds others, with its redirections."""

    __slots__ = ("redirections",)

    def __init__(self, source: str, start: int) -> None:
        super().__init__(source, start, start)
        self.redirections: tuple[Redirection, ...] = ()


class Group(Compound):
    """`{ …; }`, or `( … )` if it is a subshell."""

    __slots__ = ("subshell", "body")

    def __init__(self, source: str, start: int, subshell: bool, body: Sequence) -> None:
        super().__init__(source, start)
        self.subshell = subshell
        self.body = body


class If(Compound):
    """`if`: pairs of condition and body, and the body of `else`."""

    __slots__ = ("branches", "otherwise")

    def __init__(
        self, source: str, start: int, branches: tuple[tuple[Sequence, Sequence], ...], otherwise: Sequence | None
    ) -> None:
        super().__init__(source, start)
        self.branches = branches
        self.otherwise = otherwise


class While(Compound):
    """`while` and `until`."""

    __slots__ = ("condition", "body")

    def __init__(self, source: str, start: int, condition: Sequence, body: Sequence) -> None:
        super().__init__(source, start)
        self.condition = condition
        self.body = body


class For(Compound):
    """`for` and `select`; `words` None without `in`."""

    __slots__ = ("select", "name", "words", "body")

    def __init__(
        self, source: str, start: int, select: bool, name: str, words: tuple[Word, ...] | None, body: Sequence
    ) -> None:
        super().__init__(source, start)
        self.select = select
        self.name = name
        self.words = words
        self.body = body


class ArithmeticFor(Compound):
    """`for ((…; …; …))`."""

    __slots__ = ("expression", "body")

    def __init__(self, source: str, start: int, expression: Arithmetic, body: Sequence) -> None:
        super().__init__(source, start)
        self.expression = expression
        self.body = body


class Case(Compound):
    """`case`: the word, and for each clause its patterns and body."""

    __slots__ = ("word", "clauses")

    def __init__(
        self, source: str, start: int, word: Word, clauses: tuple[tuple[tuple[Word, ...], Sequence], ...]
    ) -> None:
        super().__init__(source, start)
        self.word = word
        self.clauses = clauses


class Test(Compound):
    """`[[ … ]]`: its words and operators in order."""

    __slots__ = ("items",)

    def __init__(self, source: str, start: int, items: tuple[Word | str, ...]) -> None:
        super().__init__(source, start)
        self.items = items


class ArithmeticCommand(Compound):
    """`((…))`."""

    __slots__ = ("expression",)

    def __init__(self, source: str, start: int, expression: Arithmetic) -> None:
        super().__init__(source, start)
        self.expression = expression


class Function(Node):
    """`name() body`."""

    __slots__ = ("name", "body")

    def __init__(self, source: str, start: int, end: int, name: str, body: Compound) -> None:
        super().__init__(source, start, end)
        self.name = name
        self.body = body


class Coprocess(Node):
    """`coproc NAME command`; `name` "" without one."""

    __slots__ = ("name", "command")

    def __init__(self, source: str, start: int, end: int, name: str, command: Command) -> None:
        super().__init__(source, start, end)
        self.name = name
        self.command = command


if TYPE_CHECKING:
    Part: TypeAlias = Text | Parameter | Expansion | Substitution | Arithmetic | Pattern | Unparsed
    Command: TypeAlias = AndOr | Pipeline | Simple | Compound | Function | Coprocess

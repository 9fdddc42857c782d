"""Values of code that is read but not run: known texts, texts with unknown parts, lists, names, functions.

An unknown part of a text is the mark `ONE` of `model/partial.py`. Whatever cannot be represented is `UNKNOWN`, and no
operation turns an unknown value into a known one. Imported by the hook path when a line carries code.
"""

from __future__ import annotations

from policy_engine.model.partial import MANY, NUMBER, ONE, PARENT, is_known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

MOST_TEXT = 65_536  # characters of a text that is computed
MOST_CHOICES = 16  # values of which one is meant
RECURSION = 2  # bodies of one function within one another that are walked


class Start:
    """The way a file of code was started: its path, its arguments (possibly with marks; None if they are not known),
    variables set for it, and the calls of its functions by who imports it (None if it is started itself)."""

    __slots__ = ("file", "arguments", "variables", "called")

    def __init__(
        self,
        file: str,
        arguments: tuple[str, ...] | None = (),
        variables: dict[str, str] | None = None,
        called: tuple[str, ...] | None = None,
    ) -> None:
        self.file = file
        self.arguments = arguments
        self.variables = variables or {}
        self.called = called

    def words(self, *before: str) -> Arguments:
        """Return what the program is told, with words before."""
        given = self.arguments or ()
        known = self.arguments is not None and all(map(is_known, given))
        return Arguments([Text(one) for one in (*before, *given)], known)


class Unknown:
    """Some value. `computed` names the reflection that made it, "" if it is an ordinary result."""

    __slots__ = ("computed",)

    def __init__(self, computed: str = "") -> None:
        self.computed = computed


class Secret(Unknown):
    """Stand for what a variable of the environment holds that keeps a secret."""

    __slots__ = ()


class Returned(Unknown):
    """Stand for what a function of an imported file gives: the calls of that file, and the place among them."""

    __slots__ = ("calls", "place")

    def __init__(self, calls: list[str], place: int) -> None:
        super().__init__()
        self.calls = calls
        self.place = place


class Counted(Unknown):
    """A whole number."""

    __slots__ = ()


class Repeated(Unknown):
    """Any number of items that are all of one kind: what `range` gives."""

    __slots__ = ("item",)

    def __init__(self, item: Any) -> None:
        super().__init__()
        self.item = item


UNKNOWN = Unknown()


class Text:
    """A text or a path, possibly with marks. `is_path`: a `pathlib` object, whose `/` joins."""

    __slots__ = ("text", "is_path")

    def __init__(self, text: str, is_path: bool = False) -> None:
        self.text = text
        self.is_path = is_path


class Output(Text):
    """The names that a command prints which the code starts."""

    __slots__ = ()


class Number:
    """A number, a truth value or None."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


class Items:
    """A list, tuple or set.

    `complete` is false if it may hold more than its items, `loose` true if it may lack some or have another order.
    """

    __slots__ = ("items", "complete", "loose")

    def __init__(self, items: list[Any], complete: bool = True, loose: bool = False) -> None:
        self.items = items
        self.complete = complete
        self.loose = loose

    @property
    def exact(self) -> bool:
        """Return whether it holds its items, all of them and in their order, and nothing else."""
        return self.complete and not self.loose

    @property
    def beyond(self) -> Any:
        """Return what stands behind the last item."""
        return UNKNOWN


class Arguments(Items):
    """The arguments of a program: behind the last of them there is none."""

    __slots__ = ()

    @property
    def beyond(self) -> Any:
        return Number(None) if self.exact else UNKNOWN


class Table:
    """A dictionary with text keys.

    `complete` is false if it may hold more than its entries; `secret` is true of a copy of the whole environment.
    """

    __slots__ = ("entries", "complete", "secret")

    def __init__(self, entries: dict[str, Any], complete: bool = True, secret: bool = False) -> None:
        self.entries = entries
        self.complete = complete
        self.secret = secret


class Choice:
    """One of several values."""

    __slots__ = ("values",)

    def __init__(self, values: list[Any]) -> None:
        self.values = values


class Name:
    """A module, or an attribute of one, by its dotted name: `os.path.join`."""

    __slots__ = ("dotted",)

    def __init__(self, dotted: str) -> None:
        self.dotted = dotted


class Method:
    """An attribute of a value that is no module."""

    __slots__ = ("owner", "name")

    def __init__(self, owner: Any, name: str) -> None:
        self.owner = owner
        self.name = name


class Function:
    """A function that the code defines. `defaults`: values of parameters that a call may leave out."""

    __slots__ = ("node", "defaults")

    def __init__(self, node: Any, defaults: dict[str, Any]) -> None:
        self.node = node
        self.defaults = defaults


class Instance:
    """A class that the code defines, by its members; `made`: an object of it, with its own."""

    __slots__ = ("members", "made")

    def __init__(self, members: dict[str, Any], made: bool = False) -> None:
        self.members = members
        self.made = made


class Archive:
    """An open archive, whose content can be extracted."""

    __slots__ = ()


_SAME_TEXT = frozenset(
    "read __enter__ __str__ __repr__ toString trim trimEnd trimStart strip lstrip rstrip upper lower toUpperCase "
    "toLowerCase decode encode splitlines readline readlines split title expandtabs".split()
)


class Opened:
    """An open file, or what stands for its content."""

    __slots__ = ("path",)

    def __init__(self, path: Text | None) -> None:
        self.path = path

    def after(self, method: str) -> Any:
        """Return what a method gives: the content, where it is that in another form."""
        return self if method in _SAME_TEXT else UNKNOWN


def text_of(value: Any) -> str:
    """Return the value as a text, `ONE` for what is not known."""
    if isinstance(value, Text):
        return value.text
    if isinstance(value, Number):
        return str(value.value)
    return NUMBER if isinstance(value, Counted) else ONE


def literal(value: Any) -> str | None:
    """Return the text of a value that is wholly known, else None."""
    if isinstance(value, Text) and is_known(value.text):
        return value.text
    return None


def alternatives(value: Any) -> list[Any]:
    """Return the values that a value may be."""
    if isinstance(value, Choice):
        return value.values
    return [value]


def choose(values: Iterable[Any]) -> Any:
    """Return one value for several of which one is meant."""
    flat: list[Any] = []
    for value in values:
        flat += alternatives(value)
    distinct: list[Any] = []
    for value in flat:
        if not any(same(value, other) for other in distinct):
            distinct.append(value)
    if len(distinct) == 1:
        return distinct[0]
    return Choice(distinct) if 0 < len(distinct) <= MOST_CHOICES else UNKNOWN


def same(one: Any, other: Any) -> bool:
    """Return whether two values are surely the same."""
    if one is other:
        return True
    if isinstance(one, Text) and isinstance(other, Text):
        return one.text == other.text and is_known(one.text) and one.is_path == other.is_path
    if isinstance(one, Number) and isinstance(other, Number):
        return type(one.value) is type(other.value) and bool(one.value == other.value)
    return isinstance(one, Name) and isinstance(other, Name) and one.dotted == other.dotted


def words_of(value: Any) -> list[str] | None:
    """Return the items of a list as texts, `MANY` for those that may be missing; None for what is no list."""
    if not isinstance(value, Items):
        return None
    words = [text_of(item) for item in value.items]
    return words if value.exact else [*words, MANY]


def shell_words(words: list[str]) -> str:
    """Return the words as a line for a shell, marks kept within quotes (`MANY` outside of them)."""
    return " ".join(MANY if word == MANY else "'" + word.replace("'", "'\\''") + "'" for word in words)


def with_variables(line: str) -> str:
    """Return a shell line with each unknown part written as a variable that the line does not set.

    A part between single quotes is taken out of them, so that the shell's reader sees a variable and no text.
    """
    if is_known(line):
        return line
    name = "unknown"
    while name in line:
        name += "_"
    made: list[str] = []
    quote, place = "", 0
    while place < len(line):
        char = line[place]
        if char == "\0":
            mark = line[place : place + 2]
            variable = "PPID" if mark == PARENT else name
            made.append(f"'\"${{{variable}}}\"'" if quote == "'" else f"${{{variable}}}")
            place += len(mark)
            continue
        if char == "\\" and quote != "'" and line[place + 1 : place + 2] == "\0":
            place += 1  # the unknown part may begin with anything, a backslash before it says nothing
            continue
        if char == "\\" and quote != "'":
            made.append(line[place : place + 2])
            place += 2
            continue
        if char == quote:
            quote = ""
        elif char in "'\"" and not quote:
            quote = char
        made.append(char)
        place += 1
    return "".join(made)

"""Read the arguments of a program as `argparse` does, as far as the code says which there are.

Imported by the hook path when a line carries such code.
"""

from __future__ import annotations

from policy_engine.inline.values import UNKNOWN, Arguments, Items, Name, Number, Table, Text, literal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_FLAGS = ("store_true", "store_false", "count", "help", "version", "store_const")  # actions that take no value
_TEXTS = frozenset("prog usage description epilog formatter_class add_help allow_abbrev exit_on_error".split())
_AS_WRITTEN = ("str", "int", "float")
_PATHS = ("pathlib.Path", "pathlib.PurePath", "pathlib.PosixPath")


class Fields(Table):
    """An object whose attributes are known by name."""

    __slots__ = ()


class Parser:
    """An `ArgumentParser`: what it was told of arguments; `unsure` of some it was not told in a way that is read."""

    __slots__ = ("options", "positionals", "fields", "unsure")

    def __init__(self, named: dict[str, Any]) -> None:
        self.options: dict[str, _Argument] = {}
        self.positionals: list[_Argument] = []
        self.fields: list[_Argument] = []
        self.unsure = not _TEXTS.issuperset(named)

    def call(self, name: str, arguments: list[Any], named: dict[str, Any], given: Items) -> Any:
        """Return what a method gives; `given`: what the program itself is told."""
        if name == "add_argument":
            self._add(arguments, named)
        elif name in ("parse_args", "parse_known_args"):
            told = arguments[0] if arguments else named.get("args", Number(None))
            if isinstance(told, Number):
                told = Arguments(given.items[1:], given.exact)
            fields = self._fields(told)
            return fields if name == "parse_args" else Items([fields, UNKNOWN])
        elif name in ("add_argument_group", "add_mutually_exclusive_group"):
            return self
        elif name in ("add_subparsers", "set_defaults", "register"):
            self.unsure = True
        return UNKNOWN

    def _add(self, arguments: list[Any], named: dict[str, Any]) -> None:
        flags = [literal(one) for one in arguments]
        if not flags or None in flags:
            self.unsure = True
            return
        names = [flag for flag in flags if flag]
        argument = _Argument(names, named)
        self.fields.append(argument)
        if names[0][:1] == "-":
            self.options.update(dict.fromkeys(names, argument))
        else:
            self.positionals.append(argument)

    def _fields(self, told: Any) -> Fields:
        """Return what each argument is; unknown where one word is not, or may stand for none or many."""
        words = [literal(one) for one in told.items] if isinstance(told, Items) and told.exact else [None]
        values = None if self.unsure or None in words else self._read([word for word in words if word is not None])
        if values is None:
            return Fields({}, False)
        return Fields({one.field: values.get(one.field, one.default) for one in self.fields})

    def _read(self, words: list[str]) -> dict[str, Any] | None:
        """Return the values by the names of their fields; None where the words are not those of these arguments."""
        values: dict[str, Any] = {}
        plain: list[str] = []
        while words:
            word = words.pop(0)
            if word == "--":
                plain += words
                break
            if word[:1] != "-" or word == "-":
                plain.append(word)
                continue
            name, equals, value = word.partition("=")
            if name not in self.options and word[:2] in self.options:
                name, equals, value = word[:2], "=", word[2:]
            argument = self.options.get(name)
            if argument is None or argument.takes > 1 or (equals if argument.takes == 0 else not (equals or words)):
                return None
            if argument.perhaps and not equals:
                return None
            made = None if argument.takes == 0 else argument.made([value if equals else words.pop(0)])
            values[argument.field] = UNKNOWN if made is None else made
        for place, argument in enumerate(self.positionals):
            many = argument.takes > 1
            if (many or argument.perhaps) and place < len(self.positionals) - 1:
                return None
            if plain[:1]:
                values[argument.field] = argument.made(plain if many else plain[:1])
                plain = [] if many else plain[1:]
        return values


class _Argument:
    """One argument: the field that it fills, how many words it takes (2: any number), or `perhaps`, its default, its
    type.
    """

    __slots__ = ("field", "takes", "perhaps", "default", "kind")

    def __init__(self, names: list[str], named: dict[str, Any]) -> None:
        long = next((name for name in names if name[:2] == "--"), names[0])
        self.field = literal(named.get("dest", UNKNOWN)) or long.lstrip("-").replace("-", "_")
        number = named.get("nargs", Number(None))
        action = named.get("action", Text("store"))
        self.perhaps = literal(number) == "?"
        one = self.perhaps or (isinstance(number, Number) and number.value is None)
        self.takes = 0 if literal(action) in _FLAGS else 1 if one and literal(action) == "store" else 2
        self.kind = named.get("type", Name("str"))
        given = named.get("default", Number(None))
        self.default = self.made([given.text]) if isinstance(given, Text) and self.takes == 1 else given

    def made(self, words: list[str]) -> Any:
        """Return the value of words."""
        kind = self.kind.dotted if isinstance(self.kind, Name) else ""
        if kind not in (*_AS_WRITTEN, *_PATHS):
            return UNKNOWN
        texts = [Text(word, kind in _PATHS) for word in words]
        return Items(texts) if self.takes > 1 else texts[0]

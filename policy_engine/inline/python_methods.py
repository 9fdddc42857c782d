"""Say what a method of a value in Python code does: of texts, paths, lists, dictionaries, archives, unknown objects."""

from __future__ import annotations

from policy_engine.inline.effects import EffectReporter
from policy_engine.inline.pure_calls import worked_out
from policy_engine.inline.python_arguments import Parser
from policy_engine.inline.python_tables import HARMING, PATH_METHODS, PATH_RESULTS, READING, TEXT_METHODS, WRITERS
from policy_engine.inline.values import (
    UNKNOWN,
    Archive,
    Function,
    Items,
    Method,
    Number,
    Opened,
    Output,
    Table,
    Text,
    Unknown,
    choose,
    literal,
    text_of,
)
from policy_engine.model.partial import ONE, is_known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Methods(EffectReporter):
    """Calls of methods, told to one analysis."""

    def given(self) -> Items:
        """Return the arguments that the code is given."""
        raise NotImplementedError

    def call_method(self, method: Method, arguments: list[Any], named: dict[str, Any]) -> Any:
        """Tell what a method does, and return its result."""
        owner, name = method.owner, method.name
        self.note_functions(name, arguments, named)
        for value in arguments:
            self.show(value)
        if isinstance(owner, Parser):
            return owner.call(name, arguments, named, self.given())
        if isinstance(owner, Text):
            return self.text_method(owner, name, arguments, named)
        if isinstance(owner, Items):
            return self.list_method(owner, name, arguments)
        if isinstance(owner, Table):
            return self.table_method(owner, name, arguments)
        if isinstance(owner, Opened):
            return owner.after(name)
        if name in ("extractall", "extract"):
            place = 0 if name == "extractall" else 1
            folder = arguments[place] if len(arguments) > place else named.get("path", Text("."))
            self.unpack(folder, name)
            return UNKNOWN
        if isinstance(owner, Archive):
            if name in ("write", "add"):
                self.touch(arguments[0] if arguments else UNKNOWN, "read", True, name)
            return owner if name == "__enter__" else UNKNOWN
        if name in HARMING:
            access, recursive = PATH_METHODS[name]
            self.touch(UNKNOWN, access, recursive, name)
        elif name in ("read_text", "read_bytes"):
            self.touch(UNKNOWN, "read", False, name)
        elif name in WRITERS and arguments and isinstance(arguments[0], Text):
            self.touch(arguments[0], "write", False, name)
        elif name in ("system", "popen", "getoutput") and arguments:
            self.line(name, arguments[0], named)  # of a module that came by a way that was not followed
        elif name.startswith(READING):
            self.may_read(arguments, named)
        elif name in ("run", "sudo", "local", "exec_command", "execute_command"):
            self.guess(name, arguments, named)
        return self.call_unknown(owner, arguments, named) if isinstance(owner, Unknown) and owner.computed else UNKNOWN

    def call_unknown(self, callee: Any, arguments: list[Any], named: dict[str, Any]) -> Any:
        """A value that is called and that nothing says the name of."""
        for value in (*arguments, *named.values()):
            if isinstance(value, Function):
                self.reader.pending.append(value)
        if isinstance(callee, Unknown) and callee.computed:
            self.doubt_everything("the code", f"the code calls {callee.computed}")
        else:
            self.guess("", arguments, named)
        return UNKNOWN

    def text_method(self, owner: Text, name: str, arguments: list[Any], named: dict[str, Any]) -> Any:
        """A method of a text or of a path."""
        texts = [text_of(one) for one in arguments]
        if owner.is_path:
            attribute = self.path_method(owner, name, arguments, named)
            if attribute is not None:
                return attribute
        if isinstance(owner, Output) and name == "read":
            return owner
        known = is_known(owner.text) and all(map(is_known, texts))
        if name in TEXT_METHODS:
            if not known or name == "translate":
                return Text(ONE) if name != "replace" else UNKNOWN
            try:
                result = getattr(owner.text, name)(
                    *(one.value if isinstance(one, Number) else text_of(one) for one in arguments)
                )
            except (TypeError, ValueError, OverflowError, MemoryError):
                return UNKNOWN
            return self.reader.limited(result)
        if name in ("encode", "decode"):
            return owner
        if name == "format":
            return self.formatted(owner.text, arguments, named)
        if name == "join" and arguments:
            items = self.reader.items(arguments[0])
            if items is None:
                return UNKNOWN
            if contents := [one for one in items if isinstance(one, Opened)]:
                return Items(contents, False)
            return self.reader.limited(owner.text.join(text_of(one) for one in items))
        if name in ("split", "splitlines", "rsplit"):
            if not known:
                return Items([], False)
            parts = (
                owner.text.splitlines()
                if name == "splitlines"
                else owner.text.split(texts[0] if texts and texts[0] else None)
            )
            return Items([Text(part) for part in parts]) if len(arguments) < 2 else Items([], False)
        if name == "fromhex":
            return self.decoded(arguments, "hex")
        return UNKNOWN

    def path_method(self, owner: Text, name: str, arguments: list[Any], named: dict[str, Any]) -> Any:
        """A method of a `pathlib` path; None for one of plain texts."""
        if name == "open":
            self.open_file(owner, named.get("mode", arguments[0] if arguments else None), "open")
            return Opened(owner)
        if name in ("rename", "replace"):
            target = arguments[0] if arguments else named.get("target", UNKNOWN)
            self.touch(owner, "read", False, name)
            self.touch(owner, "delete", True, name)
            self.touch(target, "write", True, name)
            self.relocate("mv", owner, target)
            return target
        if name in ("copy", "copy_into", "move", "move_into"):
            self.touch(owner, "read", True, name)
            self.touch(arguments[0] if arguments else UNKNOWN, "write", True, name)
            if name == "move":
                self.relocate("mv", owner, arguments[0] if arguments else UNKNOWN)
            return UNKNOWN
        if name in PATH_METHODS:
            access, recursive = PATH_METHODS[name]
            self.touch(owner, access, recursive, name)
            if name == "symlink_to":
                self.relocate("ln", arguments[0] if arguments else named.get("target", UNKNOWN), owner)
            if name in ("hardlink_to", "link_to"):
                self.touch(arguments[0] if arguments else UNKNOWN, "write", False, name)
            return Opened(owner) if access == "read" else UNKNOWN
        if name in PATH_RESULTS:
            if name == "expanduser":
                return self.expand_home(owner)
            return owner if name in ("resolve", "absolute") else Text(owner.text)
        if name == "joinpath":
            return self.joined([owner, *arguments], True)
        if name in ("with_name", "with_suffix", "with_stem"):
            folder, slash, last = owner.text.rpartition("/")
            given = text_of(arguments[0]) if arguments else ONE
            stem = last.rpartition(".")[0] or last
            new = given if name == "with_name" else stem + given if name == "with_suffix" else given + last[len(stem) :]
            return self.reader.limited(folder + slash + new, True)
        if name in ("glob", "rglob"):
            pattern = literal(arguments[0]) if arguments else None
            deep = name == "rglob" or (pattern or "").startswith("**/")
            return self.below(owner, None if pattern is None else pattern.removeprefix("**/"), deep, "Path")
        if name == "iterdir":
            return self.below(owner, "*", False, "Path")
        return None

    def list_method(self, owner: Items, name: str, arguments: list[Any]) -> Any:
        """A method of a list."""
        if name in ("append", "add") and arguments:
            owner.items.append(arguments[0])
        elif name in ("extend", "update") and arguments:
            items = self.reader.items(arguments[0])
            owner.items += items or []
            owner.complete = owner.exact and items is not None and getattr(arguments[0], "exact", True)
        elif name == "insert" and len(arguments) > 1 and isinstance(arguments[0], Number) and arguments[0].value == 0:
            owner.items.insert(0, arguments[1])
        elif name == "copy":
            return Items(list(owner.items), owner.complete, owner.loose)
        elif name in ("insert", "pop", "remove", "clear", "reverse", "sort"):
            if name == "pop" and not arguments and owner.items and owner.exact:
                return owner.items.pop()
            result = choose(owner.items) if owner.complete and owner.items and name == "pop" else UNKNOWN
            owner.items, owner.complete = [], False
            return result
        return UNKNOWN

    def table_method(self, owner: Table, name: str, arguments: list[Any]) -> Any:
        """A method of a dictionary."""
        if name == "get" and arguments:
            key = literal(arguments[0])
            if key is not None and key in owner.entries:
                return owner.entries[key]
            return arguments[1] if len(arguments) > 1 and owner.complete and key is not None else UNKNOWN
        if name == "copy":
            return Table(dict(owner.entries), owner.complete)
        if name == "update" and arguments:
            if isinstance(arguments[0], Table):
                owner.entries.update(arguments[0].entries)
                owner.complete = owner.complete and arguments[0].complete
            else:
                owner.complete = False
        if name == "keys":
            return Items([Text(key) for key in owner.entries], owner.complete)
        if name == "values":
            return Items(list(owner.entries.values()), owner.complete)
        if name == "items":
            return Items([Items([Text(key), value]) for key, value in owner.entries.items()], owner.complete)
        return UNKNOWN

    def call_map(self, arguments: list[Any], named: dict[str, Any]) -> Any:
        """`map(function, items)` of a function that only makes one known value of another."""
        items = self.reader.items(arguments[1]) if len(arguments) == 2 else None
        made = [worked_out(getattr(arguments[0], "dotted", ""), [one]) for one in items or ()]
        if made and all(made):
            return Items(made)
        self.guess("map", arguments, named)
        return UNKNOWN

    # formatting

    def formatted(self, text: str, arguments: list[Any], named: dict[str, Any]) -> Any:
        """`text.format(…)`: fields by place and by name; anything else in braces is unknown."""
        made: list[str] = []
        place, number = 0, 0
        while place < len(text):
            char = text[place]
            if char in "{}" and text[place + 1 : place + 2] == char:
                made.append(char)
                place += 2
            elif char == "{":
                field, _, _ = text[place + 1 :].partition("}")
                place += len(field) + 2
                if field == "":
                    field, number = str(number), number + 1
                if field.isdigit() and int(field) < len(arguments):
                    made.append(text_of(arguments[int(field)]))
                else:
                    made.append(text_of(named.get(field, UNKNOWN)))
            else:
                made.append(char)
                place += 1
        return self.reader.limited("".join(made))

    def percent(self, left: Text, right: Any) -> Any:
        """`text % value`: `%s` and `%d` in their order; anything else is unknown."""
        values = list(right.items) if isinstance(right, Items) else [right]
        pieces = left.text.replace("%%", "\x01").split("%")
        made = [pieces[0]]
        for piece in pieces[1:]:
            if piece[:1] not in ("s", "d"):
                return Text(ONE)
            made.append(text_of(values.pop(0)) if values else ONE)
            made.append(piece[1:])
        return self.reader.limited("".join(made).replace("\x01", "%"))

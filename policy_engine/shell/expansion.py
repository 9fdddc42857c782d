"""A word of a script in a state → its words; runs what is substituted in it. The expander that `pieces` asks.

Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.partial import MANY, ONE, is_known
from policy_engine.model.undecided import Undecided
from policy_engine.shell.pieces import SUBSTITUTIONS, Piece, WordReader
from policy_engine.shell.script import Script, shown
from policy_engine.shell.words import value_of, words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.shell.state import Context, State
    from policy_engine.shell.walk import Walker

_TEXTS = ("string", "string_content", "heredoc_body", "heredoc_content")  # a `<(` in them is only text
_OPERATIONS = (":-", ":=", ":+", ":?", "-", "=", "+", "?")


class Expansion:
    """Reads words at one place of the line; `fed` are the programs and `sources` the texts of its substitutions,
    `handed` what those print that stand for a file.

    `defaulted` tells that a variable nobody knows has a default (`${x:-word}`); with `unset` the default is taken.
    """

    def __init__(self, walker: Walker, context: Context, state: State, unset: bool = False) -> None:
        self.walker = walker
        self.context = context
        self.state = state
        self.fed: list[str] = []
        self.sources: list[str] = []
        self.handed: list[str] = []
        self.nodes: dict[int, Any] = {}
        self.visited: set[int] = set()
        self.unset = unset
        self.defaulted = False

    def words(self, script: Script, start: int, end: int, nodes: list[Any]) -> list[str]:
        """The words of an argument between two offsets, of which `nodes` are the grammar's nodes."""
        pieces, quoted = self._pieces(script, start, end, nodes)
        return words_of(pieces, quoted, self.tilde, self.separators())

    def value(self, script: Script, start: int, end: int, nodes: list[Any]) -> str:
        """The text of an assigned value or a here-string."""
        return value_of(self._pieces(script, start, end, nodes)[0], self.tilde)

    def _pieces(self, script: Script, start: int, end: int, nodes: list[Any]) -> tuple[list[Piece], bool]:
        self.nodes, self.visited = substitutions(script, nodes, self.walker), set()
        reader = WordReader(script, start, end, self.nodes, self)
        pieces = reader.read()
        self.unvisited(script)
        return pieces, reader.quoted

    def unvisited(self, script: Script) -> None:
        """Run the substitutions whose value nobody asked for: they run all the same."""
        for place, node in list(self.nodes.items()):
            if place not in self.visited and node.type != "expansion":
                self.substitution(script, node)

    def body(self, script: Script, node: Any | None, start: int, end: int, text: str) -> str:
        """Run what is in a here-document whose delimiter is not quoted; its text, with a mark if it is not constant."""
        self.nodes, self.visited = substitutions(script, [] if node is None else [node], self.walker), set()
        raw, place, constant = script.text, start, True
        while place < end:
            char, following = raw[place], raw[place + 1 : place + 2]
            if char == "\\":
                constant, place = False, place + 2
            elif char == "`" or (char == "$" and following in ("(", "{")):
                found = self.nodes.get(place)
                if found is None or found.end_byte > end:
                    raise Undecided("a here-document is read in two ways")
                constant, place = False, found.end_byte
            else:
                constant, place = constant and char != "$", place + 1
        self.unvisited(script)
        return text if constant else ONE

    def arithmetic(self, script: Script, node: Any) -> None:
        """Run what is in `((…))` or `[[ … ]]`: substitutions, and subscripts in values."""
        self.nodes, self.visited = substitutions(script, [node], self.walker), set()
        self.unvisited(script)
        self.subscripts(script, node)

    def pattern(self, script: Script, node: Any) -> None:
        """Run what is in a pattern of `case`; what it matches is never known."""
        self.nodes, self.visited = substitutions(script, [node], self.walker), set()
        self.unvisited(script)

    def constant(self, script: Script, node: Any) -> str:
        """The text of a word that holds no substitution; a mark for every other."""
        if substitutions(script, [node], self.walker):
            return ONE
        try:
            return self.value(script, node.start_byte, node.end_byte, [node])
        except Undecided:
            return ONE

    def separators(self) -> str | None:
        """IFS, None if it is not known."""
        value = self.state.value("IFS", self.walker.world)
        return " \t\n" if value is None else value if is_known(value) else None

    def tilde(self, name: str) -> str:
        """The folder that `~name` stands for."""
        wanted = {"": "HOME", "+": "PWD"}.get(name)
        value = self.state.value(wanted, self.walker.world) if wanted else ONE
        return ONE if value is None else value

    def parameter(self, name: str) -> str | tuple[str, ...]:
        """The value of `$name`; a tuple for `$@` and `$*` where they are known."""
        state = self.state
        if name in ("@", "*"):
            odd = self.separators() != " \t\n"  # which join and divide them another way
            return MANY if state.positional is None or odd else state.positional[1:]
        if name.isdigit():
            if state.positional is None:
                return ONE
            return state.positional[int(name)] if int(name) < len(state.positional) else ""
        if name in "?$!#-":
            return ONE
        value = state.value(name, self.walker.world)
        return "" if value is None else value

    def operation(self, script: Script, start: int, end: int, quoted: bool) -> str | tuple[str, ...]:
        """The value of `${…}`."""
        self.visited.add(start)
        if self._hides_code(script, start, end):
            self.walker.unknown_command("an expansion runs what is substituted in it", self.context, self.state)
        inner = script.text[start + 2 : end - 1]
        name = _leading_name(inner)
        rest = inner[len(name) :]
        if not name or inner[:1] == "!" or (inner[:1] == "#" and rest != ""):
            return MANY if "@" in inner else ONE
        if name == "@" and rest[:1] == ":" and rest[1:].isdigit() and self.state.positional is not None:
            return self.state.positional[int(rest[1:]) :]
        if name == "@" or (rest[:2] in ("[@", "[*")):
            value = self.parameter("@") if name == "@" and not rest else MANY
            return value if isinstance(value, str) else " ".join(value) if len(value) == 1 else MANY
        if "@P" in rest[:2]:
            self.walker.unknown_command("`${…@P}` runs what its value says", self.context, self.state)
        value = self.parameter(name)
        known = value if isinstance(value, str) else " ".join(value)
        if not rest:
            return known
        pattern = rest.lstrip(rest[0])
        if rest[0] in "%#" and is_known(known) and (pattern == "/" or pattern.isalnum()):
            return known.removesuffix(pattern) if rest[0] == "%" else known.removeprefix(pattern)
        for operation in _OPERATIONS:
            if rest.startswith(operation):
                return self._alternative(
                    script, name, known, operation, start + 2 + len(name) + len(operation), end - 1
                )
        return MANY if "@" in rest[:2] else ONE

    def _hides_code(self, script: Script, start: int, end: int) -> bool:
        """Whether a substitution within `${…}` has no node of its own: some patterns are plain text for the grammar."""
        spans = [(node.start_byte, node.end_byte) for node in self.nodes.values() if node.type != "expansion"]
        for mark in ("$(", "`"):
            place = script.text.find(mark, start, end)
            while place >= 0:
                if not any(first <= place < last for first, last in spans):
                    return True
                place = script.text.find(mark, place + 1, end)
        return False

    def _alternative(self, script: Script, name: str, known: str, operation: str, start: int, end: int) -> str:
        """`${x:-word}` and its kin."""
        unset = name in self.state.variables and self.state.variables[name] is None
        if "=" in operation:
            self.state.assign(name, ONE)
        if not is_known(known) and operation[-1] in "-=" and name not in self.state.variables:
            self.defaulted = True
            known, unset = ("", True) if self.unset else (known, unset)
        if not is_known(known):
            return ONE
        missing = unset or (known == "" and ":" in operation)
        if operation[-1] == "+":
            missing = not missing
            known = ""
        if not missing:
            return known
        try:
            reader = WordReader(script, start, end, self.nodes, self)
            return value_of(reader.read(), self.tilde)
        except Undecided as unknown:
            if "$(" in script.text[start:end] or "`" in script.text[start:end]:
                self.walker.unknown_command(unknown.reasons[0], self.context, self.state)
            return ONE

    def substitution(self, script: Script, node: Any) -> str:
        """Run what is in `$(…)`, backticks, `<(…)` or `$((…))`; the value, as far as it is known."""
        self.visited.add(node.start_byte)
        if node.type == "arithmetic_expansion":
            self.subscripts(script, node)
            return ONE
        before = len(self.walker.commands)
        output = self._run(script, node)
        programs = self.walker.programs(before)
        self.sources.append(script.shown(node.start_byte, node.end_byte))
        if node.type == "process_substitution":
            self.fed += programs if script.raw(node)[:1] == "<" else ()
            self.handed.append(output if script.raw(node)[:1] == "<" else MANY)
            return f"/dev/fd/{ONE}"
        return output.rstrip("\n")

    def _run(self, script: Script, node: Any) -> str:
        raw = script.raw(node)
        fed = ("?",) if raw[:1] == ">" else ()  # by the command that it is a word of
        context = self.context.within(zero=False, nonzero=False, piped_from=fed, sources=(), feed=None)
        if raw[:1] == "`":
            inner = raw[1:-1]
            if "\\" in inner:
                if '\\"' in inner or "\\\n" in inner:
                    raise Undecided("a backslash in backticks is not understood yet")
                for char in "\\`$":
                    inner = inner.replace("\\" + char, "\1" if char == "\\" else char)
                inner = inner.replace("\1", "\\")
            return self.walker.output_of(Script(shown(inner)), None, context, self.state.copy())
        return self.walker.output_of(script, node, context, self.state.copy())

    def subscripts(self, script: Script, node: Any) -> None:
        """Subscripts in the values of variables, and in quoted words, are run as code."""
        raw = script.raw(node)
        if "'" in raw and ("[$(" in raw or "[`" in raw):
            self.walker.unknown_command("arithmetic runs what is in a subscript", self.context, self.state)
        stack = list(node.children)
        while stack:
            child = stack.pop()
            self.walker.budget.step()
            if child.type in ("variable_name", "word"):
                name = shown(script.raw(child))
                value = self.state.variables.get(name)
                if name in self.state.variables and ("=" in raw or "++" in raw or "--" in raw):
                    self.state.assign(name, ONE)
                if value is not None and "[" in value:
                    self.walker.unknown_command("arithmetic runs what is in a subscript", self.context, self.state)
            stack += child.children


def substitutions(script: Script, nodes: list[Any], walker: Walker) -> dict[int, Any]:
    """The outermost substitutions below some nodes, by their start. Raises Undecided if a node hides one."""
    found: dict[int, Any] = {}
    stack = [(node, False) for node in nodes]
    while stack:
        node, inside = stack.pop()
        walker.budget.step()
        if node.type in SUBSTITUTIONS:
            found.setdefault(node.start_byte, node)
            if node.type in ("command_substitution", "process_substitution"):
                continue
            inside = True
        if (
            script.hides_code
            and node.is_named
            and (inside or node.type not in ("raw_string", "ansi_c_string", "comment"))
        ):
            _need_open(script, node)
        stack += [(child, inside) for child in node.children]
    return dict(sorted(found.items()))


def _need_open(script: Script, node: Any) -> None:
    """Raise Undecided if there is a substitution in the node's own text, between its children."""
    place = node.start_byte
    for start, end in [*((child.start_byte, child.end_byte) for child in node.children), (node.end_byte, 0)]:
        own = script.text[place:start]
        place = end
        if "`" in own or "$(" in own or (node.type not in _TEXTS and ("<(" in own or ">(" in own)):
            plain = own.replace("\\\\", "").replace("\\`", "").replace("\\$", "")
            if "`" in plain or "$(" in plain or "<(" in plain or ">(" in plain:
                raise Undecided(f"`{script.shown(node.start_byte, node.end_byte)[:80]}` is read in two ways")


def _leading_name(inner: str) -> str:
    """The parameter that an expansion begins with."""
    if inner[:1] in ("@", "*", "?", "$", "-", "!") and len(inner) > 0:
        return inner[:1] if inner[:1] != "!" else ""
    end = 0
    while end < len(inner) and (inner[end].isalnum() or inner[end] == "_") and inner[end].isascii():
        end += 1
    name = inner[:end]
    return name if not name[:1].isdigit() or name.isdigit() else ""

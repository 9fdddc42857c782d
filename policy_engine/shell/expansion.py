"""Expand a word in a state to the words that a program gets, and walk what is substituted in it.

Imported by the hook path.
"""

from __future__ import annotations

import posix

from policy_engine.model.partial import DIGITS, FOLDER, GLOB, MANY, NUMBER, ONE, PARENT, is_known
from policy_engine.shell.defaults import names_program, usually_set
from policy_engine.shell.lexer import NAME_CHARS
from policy_engine.shell.tree import (
    Arithmetic,
    Assignment,
    Parameter,
    Pattern,
    Substitution,
    Text,
    Unparsed,
)
from policy_engine.shell.tree import (
    Expansion as Braced,
)
from policy_engine.shell.trimming import cased, replaced, sliced, trimmed
from policy_engine.shell.words import value_of, words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.shell.state import Context, State
    from policy_engine.shell.tree import Document, Part, Word
    from policy_engine.shell.walk import Walker
    from policy_engine.shell.words import Piece

    Parts = tuple[Part, ...]

_ACTIVE = frozenset("{}~*?[]$")  # what unquoted text may expand through
_OPERATIONS = (":-", ":=", ":+", ":?", "-", "=", "+", "?")
_NUMBERS = frozenset(("UID", "EUID", "PPID", "RANDOM", "SECONDS", "BASHPID", "LINENO", "EPOCHSECONDS"))


class Expansion:
    """Expands words at one place of the line; `fed` are the programs and `sources` the texts of its substitutions,
    `handed` what those print that stand for a file.

    `defaulted` tells that a variable nobody knows has a default (`${x:-word}`), `free` that the environment hardly has
    any of those; with `unset` the default is taken, with `trusting` that of variables which the environment hardly has.
    """

    def __init__(self, walker: Walker, context: Context, state: State, unset: bool = False) -> None:
        self.walker = walker
        self.context = context
        self.state = state
        self.fed: list[str] = []
        self.sources: list[str] = []
        self.handed: list[str] = []
        self.unset = unset
        self.arrays: dict[str, tuple[str, ...] | None] = {}  # what its assignments put into arrays
        self.keys: dict[str, tuple[str, ...]] = {}  # those of its elements, each "" where nobody can say
        self.alternatives: dict[str, tuple[str, ...]] = {}  # by name, what assignments give that are not known
        self.outcomes: tuple[str, ...] = ()  # what the last substitution may print, if that is not known
        self.given: dict[int, str] = {}  # what substitutions print that have been looked at
        self.several = False  # variables that nobody knows, so that each may be set or not
        self.defaulted = False
        self.free = True
        self.trusting = False
        self.starting = False  # what is expanded says which program is started

    def words(self, word: Word) -> list[str]:
        """The words of an argument."""
        self.walker.budget.step()
        texts, quoted = [], False
        for part in word.parts:
            if type(part) is not Text:
                quoted = quoted or getattr(part, "quoted", False)
                break
            if part.quoted:
                quoted = True
            elif not _ACTIVE.isdisjoint(part.text):
                break
            texts.append(part.text)
        else:
            return ["".join(texts)]
        pieces = self.pieces(word.parts)
        quoted = quoted or any(getattr(part, "quoted", False) for part in word.parts)
        return words_of(pieces, quoted, self.tilde, self.separators())

    def redirected(self, word: Word, makes: bool) -> str:
        """The one word that a redirection names, which `makes` a file: where it becomes several, the shell opens
        nothing.
        """
        outer, self.trusting = self.trusting, makes
        pieces = self.pieces(word.parts)
        self.trusting = outer
        quoted = any(getattr(part, "quoted", False) for part in word.parts)
        words = words_of(pieces, quoted, self.tilde, self.separators())
        if len(words) == 1 and MANY not in words[0]:
            return words[0]
        if MANY in "".join(words) and not any(kind == "char" and text in tuple("*?[{") for kind, text in pieces):
            return value_of(pieces, self.tilde, False)
        return f"{ONE}{word.text}"

    def value(self, parts: Parts) -> str:
        """The text of an assigned value or a here-string."""
        return value_of(self.pieces(parts), self.tilde)

    def pieces(self, parts: Parts) -> list[Piece]:
        """Literal characters, quoted text, and expansions with what is known of them."""
        pieces: list[Piece] = []
        for part in parts:
            if type(part) is Text:
                if part.quoted:
                    pieces.append(("text", part.text))
                else:
                    pieces += [("char", char) for char in part.text]
            elif type(part) is Parameter and (elements := self._elements(part)) is not None:
                pieces.append(("fields", elements))
            elif type(part) is Parameter:
                self._add(pieces, self.parameter(part.name), part.quoted, part.name)
            elif type(part) is Braced:
                name = "@" if "@" in part.text else ""
                self._add(pieces, self._operation(part), part.quoted, name)
            elif type(part) is Substitution:
                output = self.substitution(part)
                if part.form in ("<(", ">("):
                    pieces.append(("text", output))  # one word: a name below /dev/fd
                else:
                    self._add(pieces, output, part.quoted, "")
            elif type(part) is Arithmetic:
                self.arithmetic(part)
                pieces.append(("text", ONE if "[" in part.text else NUMBER))  # it may have a sign
            else:
                self.run((part,))
                pieces.append(("char", "*") if type(part) is Pattern else ("value", MANY))
        return pieces

    def _elements(self, part: Parameter) -> tuple[str, ...] | None:
        """The words that the name of an array alone stands for, as zsh reads it; None for other values."""
        elements = self.state.array(part.name) if self.walker.dialect == "zsh" and not part.quoted else None
        return None if elements is None else tuple(filter(None, elements))

    def _add(self, pieces: list[Piece], value: str | tuple[str, ...], quoted: bool, name: str) -> None:
        if isinstance(value, tuple):
            if quoted and name == "@":
                pieces.append(("fields", value))
                return
            value = " ".join(value)
        if quoted:
            # `"$@"` and `"${a[@]}"` may be any number of words even in quotes; all else is one
            pieces.append(("text", value if name == "@" else value.replace(MANY, ONE)))
        elif self.walker.dialect == "zsh" and not _is_one_word(value):
            pieces.append(("value", MANY if value else ""))  # zsh divides no values, and looks for no files
        else:
            pieces.append(("value", value.replace(ONE, MANY)))

    def run(self, parts: Parts) -> None:
        """Run the substitutions whose value nobody asks for: they run all the same."""
        for part in parts:
            if type(part) is Substitution:
                self.substitution(part)
            elif type(part) is Braced:
                self.run(part.subscript or ())
                self.run(part.argument)
            elif type(part) is Arithmetic:
                self.arithmetic(part)
            elif type(part) is Pattern:
                self.run(part.parts)
            elif type(part) is Unparsed:
                self.walker.unknown_command(part.reason, self.context, self.state)

    def assigned(self, node: Assignment) -> str:
        """An assignment as `NAME=value`; what cannot be told, such as an array, is marked."""
        if node.elements is not None:
            elements = [text for word in node.elements for text in self.words(word)]
            self.keys[node.name] = () if node.appends else tuple(_key(word.text) for word in node.elements)
            before = self.state.array(node.name) if node.appends else ()
            self.arrays[node.name] = None if before is None else (*before, *elements)
            return f"{node.name}={ONE}"
        if node.subscript is not None:
            self.run(node.subscript)
            self.subscripts(node.text.partition("]")[0], False)
            self.value(node.value)
            return f"{node.name}={ONE}"
        value = self.value(node.value)
        if value == ONE and len(node.value) == 1 and type(node.value[0]) is Substitution and not node.appends:
            self.alternatives[node.name] = self.outcomes
        if node.appends:
            known = self.state.value(node.name, self.walker.filesystem) or ""
            value = known + value if is_known(known) else ONE
        if "[$(" in value or "[`" in value:
            self.walker.unknown_command("arithmetic may run what is in a subscript", self.context, self.state)
        return f"{node.name}={value}"

    def document(self, document: Document) -> str:
        """The text of a here-document, a mark if it is not known; runs what is substituted in it."""
        if document.parts is None:
            return document.text
        text = "".join(str(text) for _, text in self.pieces(document.parts))
        return text if is_known(text) else ONE

    def constant(self, word: Word) -> str:
        """The text of a word that holds no substitution; a mark for every other."""
        if all(type(part) is Text or type(part) is Parameter for part in word.parts):
            return self.value(word.parts)
        return ONE

    def separators(self) -> str | None:
        """IFS, None if it is not known."""
        value = self.state.value("IFS", self.walker.filesystem)
        return " \t\n" if value is None else value if is_known(value) else None

    def tilde(self, name: str) -> str:
        """The folder that `~name` stands for."""
        if home := self._home_of(name):
            return home
        wanted = {"": "HOME", "+": "PWD", "-": "OLDPWD"}.get(name)
        value = self.state.value(wanted, self.walker.filesystem) if wanted else ONE
        return ONE if value is None else value

    def _home_of(self, name: str) -> str:
        """Return the home of a user whose name stands behind `~`: of who runs the line, or of root; "" for others."""
        home = self.walker.filesystem.home
        if not name or (self.walker.dialect == "zsh" and (name in self.state.variables or self.state.altered)):
            return ""  # zsh takes what a variable names for a home
        users = {posix.environ.get(key, b"").decode("utf-8", "replace") for key in (b"USER", b"LOGNAME")}
        if home is not None and name in {*users, home.rpartition("/")[2]}:
            return home
        return "/root" if name == "root" else ""

    def parameter(self, name: str) -> str | tuple[str, ...]:
        """The value of `$name`; a tuple for `$@` and `$*` where they are known."""
        state = self.state
        if name in ("@", "*"):
            odd = self.separators() != " \t\n"  # which join and divide them another way
            return MANY if state.positional is None or odd else state.positional[1:]
        if name.isdigit():
            if name == "0" and name in state.variables:
                return state.variables[name] or ""
            if state.positional is None:
                return ONE
            return state.positional[int(name)] if int(name) < len(state.positional) else ""
        if name in "?$!#" or (name in _NUMBERS and name not in state.variables):
            if name == "PPID":
                return PARENT
            return DIGITS if name in "?!#" else NUMBER
        if name == "-":
            return ONE
        value = state.value(name, self.walker.filesystem)
        if name in state.defaults and value is not None and not is_known(value):
            default, free = state.defaults[name]
            return default if self._takes_default(free, name, default) else value
        return "" if value is None else value

    def _takes_default(self, free: bool, name: str, default: str) -> bool:
        """Return whether a default is taken for what nobody knows; else it is noted that there is one."""
        if self.unset or (free and (self.trusting or (self.starting and names_program(name, default)))):
            return True
        self.defaulted = True
        self.free = self.free and free
        return False

    # ---- `${…}` ------------------------------------------------------------------------------------------------------

    def _operation(self, part: Braced) -> str | tuple[str, ...]:
        """The value of `${…}`."""
        name, inner = part.name, part.text[2:-1]
        rest = inner[len(part.mark) + len(name) :]
        if part.subscript is not None or part.operator == ":":
            self.subscripts(rest, False)
        if part.mark == "!" and name and not rest:
            named = self.parameter(name)
            return self.parameter(named) if isinstance(named, str) and named.isidentifier() else ONE
        if part.mark == "!" and rest in ("[@]", "[*]") and (keys := self.state.keys(name)):
            return keys
        if not name or part.mark:
            self.run((part,))
            return MANY if "@" in inner else DIGITS if part.mark == "#" and name and not part.operator else ONE
        if name == "@" and rest[:1] == ":" and rest[1:].isdigit() and self.state.positional is not None:
            return self.state.positional[int(rest[1:]) :]
        if name == "PIPESTATUS" and rest[1:-1].isdigit() and name not in self.state.variables:
            return DIGITS
        if rest in ("[@]", "[*]") and (elements := self.state.array(name)) is not None:
            return elements
        if name == "@" or rest[:2] in ("[@", "[*"):
            self.run((part,))
            value = self.parameter("@") if name == "@" and not rest else MANY
            return value if isinstance(value, str) else " ".join(value) if len(value) == 1 else MANY
        element = self._element(name, rest)
        rest = rest if element is None else rest.partition("]")[2]
        if "@P" in rest[:2]:
            self.walker.unknown_command("`${…@P}` runs what its value says", self.context, self.state)
        value = self.parameter(name) if element is None else element
        known = value if isinstance(value, str) else " ".join(value)
        if not rest:
            return known
        plain = part.subscript is None or element is not None
        if plain and part.operator in _OPERATIONS:
            return self._alternative(part, known)
        self.run((part,))
        if part.operator in ("=", ":="):
            self.state.assign(name, ONE)  # an element of it
        if rest[0] in "%#":
            return trimmed(known, rest[0], rest.lstrip(rest[0]), rest[:2] in ("%%", "##"))
        if rest[0] == "/" and plain:
            return replaced(known, rest)
        if rest[0] in ",^" and plain:
            return cased(known, rest)
        if rest[0] == ":" and plain:
            return sliced(known, rest)
        return MANY if "@" in rest[:2] else ONE

    def _element(self, name: str, rest: str) -> str | None:
        """The element that a number in brackets chooses of an array that is known; None where nobody can say."""
        number, bracket, _ = rest[1:].partition("]")
        elements = self.state.array(name) if rest[:1] == "[" and bracket and number.isdecimal() else None
        if elements is None or not all(map(is_known, elements)) or len(number) > 4:
            return None
        place = int(number) - (self.walker.dialect == "zsh")  # which counts from 1
        return elements[place] if 0 <= place < len(elements) else ""

    def _alternative(self, part: Braced, known: str) -> str:
        """`${x:-word}` and its kin."""
        state, name, operation = self.state, part.name, part.operator
        unset = name in state.variables and state.variables[name] is None
        fresh = name not in state.variables
        if "=" in operation:
            state.assign(name, known if is_known(known) and known else ONE)
        guessed = operation[-1] in "-=" or (operation[-1] == "+" and not self.several)
        if not is_known(known) and guessed and fresh:
            free = not usually_set(name) and not state.altered
            default = "".join(one.text for one in part.argument if type(one) is Text)
            known, unset = ("", True) if self._takes_default(free, name, default) else (known, unset)
        if not is_known(known) and not (operation[-1] == "+" and self.defaulted):
            self.run(part.argument)
            return ONE
        missing = unset or (known == "" and ":" in operation)
        if operation[-1] == "+":
            missing = not missing
            known = ""
        if not missing:
            self.run(part.argument)
            return known
        value = self.value(part.argument)
        if "=" in operation:
            state.assign(name, value)
        return value

    # ---- substitutions -----------------------------------------------------------------------------------------------

    def substitution(self, part: Substitution) -> str:
        """Run what is in `$(…)`, backticks or `<(…)`; the value, as far as it is known."""
        if id(part) in self.given:
            return self.given[id(part)]
        walker = self.walker
        before = len(walker.commands)
        fed = ("?",) if part.form == ">(" else ()  # by the command that it is a word of
        context = self.context.within(zero=False, nonzero=False, piped_from=fed, sources=(), feed=None, shown=False)
        outer, walker.naming = walker.naming, self.trusting
        walker.walk_sequence(part.body, context, self.state.copy())
        walker.naming = outer
        output = walker.output(before)
        if part.body.text.strip() in ("pwd", "pwd -L") and self.state.logical and not self.state.physical:
            output = FOLDER + self.state.logical
        self.outcomes = walker.alternatives(part.body, before) if output == ONE else ()
        for command in walker.commands[before:]:
            command.substituted = True
        says_nothing = output == ":"  # what tools print to be found: nothing of it comes from elsewhere
        self.sources += [] if says_nothing else [part.text]
        if part.form in ("<(", ">("):
            self.fed += walker.programs(before) if part.form == "<(" and not says_nothing else ()
            self.handed.append(output if part.form == "<(" else MANY)
            return f"/dev/fd/{ONE}"
        return output.rstrip("\n")

    def arithmetic(self, part: Arithmetic) -> None:
        """Run what is in an arithmetic expression: substitutions, and subscripts in values."""
        self.run(part.parts)
        self.subscripts(part.text, True)

    def subscripts(self, raw: str, assigns: bool) -> None:
        """Subscripts in the values of variables, and in quoted words, are run as code.

        `assigns`: the text may also give variables new values.
        """
        state, walker = self.state, self.walker
        if "'" in raw and ("[$(" in raw or "[`" in raw):
            walker.unknown_command("arithmetic runs what is in a subscript", self.context, state)
        assigns = assigns and ("=" in raw or "++" in raw or "--" in raw)
        for name in names_in(raw):
            walker.budget.step()
            value = state.variables.get(name)
            if assigns and name in state.variables:
                state.assign(name, ONE)
            if value is not None and "[" in value:
                walker.unknown_command("arithmetic runs what is in a subscript", self.context, state)


def _is_one_word(value: str) -> bool:
    """Return whether a value is one word for zsh, and also where it is told to divide values and to look for files."""
    plain = is_known(value.replace(GLOB, ""))
    return plain and bool(value) and not set(value) & set(" \t\n" if GLOB in value else " \t\n*?[]^#~<>()|=")


def _key(element: str) -> str:
    """Return the key of an element `[key]=value` of an array, "" if it is no plain word."""
    key, mark, _ = element[1:].partition("]=")
    plain = element[:1] == "[" and mark and key[:1].isalnum() and key.replace(".", "").replace("_", "").replace("-", "")
    return key if plain and key.isascii() and plain.isalnum() else ""


def names_in(raw: str) -> list[str]:
    """The names in a text, each once, in order."""
    return list(dict.fromkeys("".join(char if char in NAME_CHARS else " " for char in raw).split()))

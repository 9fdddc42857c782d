"""The words of a shell script: quotes, backslashes, expansions, here-documents.

What bash, sh and zsh read alike is parsed; where they differ, or where bash itself reads a text twice and differently,
Undecided is raised. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.undecided import Undecided
from policy_engine.shell.ansi import ansi_c
from policy_engine.shell.tree import (
    Arithmetic,
    Document,
    Expansion,
    Parameter,
    Pattern,
    Substitution,
    Text,
    Unparsed,
    Word,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.shell.tree import Part, Redirection, Sequence

END = "\0"  # behind the last character of a source; no shell line holds one
_STOPS = frozenset(" \t\n|&;()<>\"'\\$`\0")
_WORD_ENDS = frozenset(" \t\n|&;()<>\0")
_QUOTED_STOPS = frozenset('"\\$`\0')
_DOCUMENT_STOPS = frozenset("\\$`\0")
_NAME_START = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")
NAME_CHARS = _NAME_START | frozenset("0123456789")
_SPECIAL = frozenset("@*#?$!-0123456789")
_OPERATORS = (":-", ":=", ":+", ":?", "//", "/#", "/%", "##", "%%", "^^", ",,", "-", "=", "+", "?", "#", "%", "/", "^",
              ",", "@", ":")  # fmt: skip
_PATTERN_OPERATORS = frozenset(("#", "##", "%", "%%", "/", "//", "/#", "/%", "^", "^^", ",", ",,"))
_UNSAFE_IN_QUOTES = frozenset('{}"\\$`')
_ZSH_FLAGS = frozenset("+=~^")
_MOST_STEPS = 60_000  # words and expansions, of those that are read twice each time
_MOST_DEPTH = 60  # expansions and compound commands in each other
_MOST_DOCUMENTS = 64
_PRIVATE = (("\ue000", "\uf8ff"), ("\U000f0000", "\U000ffffd"), ("\U00100000", "\U0010fffd"))


class Budget:
    """The bound on the cost of parsing one line; shared by the scripts within it."""

    __slots__ = ("steps", "depth", "documents")

    def __init__(self) -> None:
        self.steps = self.depth = self.documents = 0

    def step(self) -> None:
        """Raises Undecided when it is used up."""
        self.steps += 1
        if self.steps > _MOST_STEPS:
            raise Undecided("reading the command takes too long")

    def deeper(self) -> None:
        """Raises Undecided where it is too deep."""
        self.depth += 1
        if self.depth > _MOST_DEPTH:
            raise Undecided("the command is nested too deeply")


class Lexer:
    """Reads words at `place` of `text`; `pending` are the here-documents whose text begins on the next line."""

    __slots__ = ("source", "text", "place", "pending", "budget", "dialect", "zsh", "posix", "extended", "within")

    def __init__(self, source: str, dialect: str, budget: Budget, extended: bool) -> None:
        self.source = source
        self.text = source + END
        self.place = 0
        self.pending: list[tuple[Redirection, str, bool]] = []
        self.budget = budget
        self.dialect = dialect
        self.zsh = dialect == "zsh"
        self.posix = dialect == "sh"
        self.extended = extended  # whether `@(a|b)` is a pattern
        self.within = 0  # `$(` that are open

    def sequence(self, *ends: str) -> Sequence:
        """Commands up to one of the ends."""
        raise NotImplementedError

    def problem(self, what: str, start: int) -> Undecided:
        """An error that names the text from `start`."""
        line = self.source[start : start + 60].partition("\n")[0]
        return Undecided(f"{what} at `{line}`" if line else f"{what} at the end of the command")

    # ---- words -------------------------------------------------------------------------------------------------------

    def word(self, pattern: str = "") -> Word | None:
        """The word that begins here, None if there is none; `pattern`: `==` or `=~`, what stands before it in `[[`."""
        self.budget.step()
        text = self.text
        place = run = start = self.place
        while text[place] not in _STOPS:
            place += 1
        char = text[place]
        if char in _WORD_ENDS and char not in "<>(|":
            if place == start:
                return None
            self.place = place
            return Word(self.source, start, place, (self._literal(start, place, start),))
        parts: list[Part] = []
        while True:
            while text[place] not in _STOPS:
                place += 1
            char = text[place]
            if place > run:
                self._add(parts, self._literal(run, place, start))
            if char in "<>" and text[place + 1] == "(":
                place = self._substitution(parts, place, 2, text[place : place + 2], False)
            elif char == "(" and place > start and self._extends(place, parts, pattern):
                place = self._pattern(parts, place)
            elif char == "|" and pattern == "=~" and place > start and text[place + 1] != "|":
                self._add(parts, Text("|", False))
                place += 1
            elif char == "(" and pattern == "=~":
                inner, end = self.matched(place + 1, "(", ")")
                parts.append(Pattern(self.source, place, end + 1, inner))
                place = end + 1
            elif char in _WORD_ENDS:
                break
            else:
                place = self._quoting(parts, place, char)
            run = place
        self.place = place
        return Word(self.source, start, place, tuple(parts)) if place > start else None

    def foreign(self, start: int) -> Undecided:
        """An error that another shell than bash reads the text from `start` otherwise."""
        return self.problem(f"`{self.dialect}` reads this otherwise than bash", start)

    def _literal(self, run: int, place: int, start: int) -> Text:
        """Unquoted characters. Raises Undecided for those that no reader sees, and that zsh reads otherwise."""
        literal = self.text[run:place]
        if not literal.isprintable():
            _need_visible(literal)
        if self.zsh and run == start and (literal[0] == "^" or (literal[0] == "=" and literal.strip("="))):
            raise self.foreign(start)
        return Text(literal, False)

    def _add(self, parts: list[Part], part: Text) -> None:
        """Append a text to the parts, in one piece with one like it: a continued line cuts no word."""
        last = parts[-1] if parts else None
        if type(last) is Text and last.quoted == part.quoted and not part.quoted:
            parts[-1] = Text(last.text + part.text, False)
        else:
            parts.append(part)

    def _extends(self, place: int, parts: list[Part], pattern: str) -> bool:
        last = parts[-1] if parts else None
        if self.zsh or type(last) is not Text or last.quoted or self.text[place - 1] not in "?*+@!":
            return False
        return self.extended or pattern == "=="

    def _pattern(self, parts: list[Part], place: int) -> int:
        inner, end = self.matched(place + 1, "(", ")")
        parts.append(Pattern(self.source, place, end + 1, inner))
        return end + 1

    def _quoting(self, parts: list[Part], place: int, char: str) -> int:
        """A backslash, a quote or an expansion in a word; the offset behind it."""
        text = self.text
        if char == "\\":
            following = text[place + 1]
            if following == "\n":
                return place + 2
            if following == END:
                parts.append(Text("\\", True))
                return place + 1
            if not following.isprintable():
                _need_visible(following)
            parts.append(Text(following, True))
            return place + 2
        if char == "'":
            close = text.find("'", place + 1)
            if close < 0:
                raise self.problem("the quote ' is not closed", place)
            parts.append(Text(text[place + 1 : close], True))
            return close + 1
        if char == '"':
            return self._double(parts, place + 1, place)
        return self._dollar(parts, place, False)

    def _double(self, parts: list[Part], place: int, start: int) -> int:
        """The inside of `"…"`; the offset behind the closing quote."""
        before = len(parts)
        place = self._inside(parts, place, _QUOTED_STOPS)
        if self.text[place] != '"':
            raise self.problem('the quote " is not closed', start)
        if len(parts) == before:
            parts.append(Text("", True))
        return place + 1

    def _inside(self, parts: list[Part], place: int, stops: frozenset[str]) -> int:
        """Text in which only `$`, backticks and some backslashes mean something, up to `"` or the end."""
        text = self.text
        while True:
            run = place
            while text[place] not in stops:
                place += 1
            if place > run:
                parts.append(Text(text[run:place], True))
            char = text[place]
            if char == END or char == '"':
                return place
            if char == "\\":
                following = text[place + 1]
                if following in stops and following != END:
                    parts.append(Text(following, True))
                    place += 2
                elif following == "\n":
                    place += 2
                else:
                    parts.append(Text("\\", True))
                    place += 1
            else:
                place = self._dollar(parts, place, True)

    # ---- expansions --------------------------------------------------------------------------------------------------

    def _dollar(self, parts: list[Part], place: int, quoted: bool) -> int:
        """`$…` or a backtick at `place`; the offset behind it."""
        text = self.text
        if text[place] == "`":
            return self._backtick(parts, place, quoted)
        following = text[place + 1]
        if following in _NAME_START:
            end = place + 2
            while text[end] in NAME_CHARS:
                end += 1
            return self._parameter(parts, place, end, quoted)
        if following == "(":
            if text[place + 2] == "(":
                end = self._arithmetic(parts, place)
                if end:
                    return end
            return self._substitution(parts, place, 2, "$(", quoted)
        if following == "{":
            return self._expansion(parts, place, quoted)
        if following == "[":
            inner, end = self.matched(place + 2, "[", "]", True)
            parts.append(Arithmetic(self.source, place, end + 1, inner))
            return end + 1
        if following in _SPECIAL:
            return self._parameter(parts, place, place + 2, quoted)
        if following in "'\"" and not quoted:
            if self.posix or (self.zsh and following == '"'):
                raise self.foreign(place)
            return self._ansi(parts, place) if following == "'" else self._double(parts, place + 2, place)
        if following == "\\" and text[place + 2] == "\n":
            raise self.problem("a continued line behind `$` is read in two ways", place)
        if self.zsh and following in _ZSH_FLAGS:
            raise self.foreign(place)
        parts.append(Text("$", quoted))
        return place + 1

    def _parameter(self, parts: list[Part], place: int, end: int, quoted: bool) -> int:
        text = self.text
        if text[end] == "\\" and text[end + 1] == "\n" and text[end + 2] in NAME_CHARS:
            raise self.problem("a continued name is read in two ways", place)
        if self.zsh and (text[end] == "[" or (text[end] == ":" and text[end + 1].isalpha())):
            raise self.foreign(place)
        parts.append(Parameter(text[place + 1 : end], quoted))
        return end

    def _ansi(self, parts: list[Part], place: int) -> int:
        """`$'…'`."""
        text, end = self.text, place + 2
        while text[end] != "'":
            end += text[end] == "\\"
            if text[end] == END:
                raise self.problem("the quote $' is not closed", place)
            end += 1
        raw = text[place + 2 : end + 1].encode("utf-8", "surrogateescape").decode("latin-1")
        parts.append(Text(ansi_c(raw, 0, len(raw))[0], True))
        return end + 1

    def _substitution(self, parts: list[Part], place: int, skip: int, form: str, quoted: bool) -> int:
        """`$(…)`, `<(…)`, `>(…)`; the offset behind it."""
        self.budget.step()
        self.budget.deeper()
        outer, self.pending, self.place = self.pending, [], place + skip
        self.within += 1
        body = self.sequence(")")
        self.within -= 1
        if self.text[self.place] != ")":
            raise self.problem(f"`{form}` is not closed", place)
        if self.pending:
            self._unended(place)
        if outer and "\n" in self.text[place : self.place]:
            raise self.problem("a line break before a here-document's text is read in two ways", place)
        self.pending = outer
        self.budget.depth -= 1
        parts.append(Substitution(self.source, place, self.place + 1, form, body, quoted))
        return self.place + 1

    def _unended(self, place: int) -> None:
        raise self.problem("a here-document has no text", place)

    def _backtick(self, parts: list[Part], place: int, quoted: bool) -> int:
        text, end = self.text, place + 1
        inner: list[str] = []
        while text[end] != "`":
            if text[end] == "\\" and (text[end + 1] in "\\$`" or (quoted and text[end + 1] == '"')):
                inner.append(text[end + 1])
                end += 2
                continue
            if end >= len(text) - 1:
                raise self.problem("a backtick is not closed", place)
            inner.append(text[end])
            end += 1
        if self.pending and "\n" in inner:
            raise self.problem("a line break before a here-document's text is read in two ways", place)
        self.budget.step()
        self.budget.deeper()
        depth = self.budget.depth
        try:
            body = type(self)("".join(inner), self.dialect, self.budget, self.extended).script()
            parts.append(Substitution(self.source, place, end + 1, "`", body, quoted))
        except Undecided as unknown:  # the shell, too, finds that out when it is there
            parts.append(Unparsed(self.source, place, end + 1, unknown.reasons[0]))
        self.budget.depth = depth - 1
        return end + 1

    def script(self) -> Sequence:
        """All of the source."""
        raise NotImplementedError

    def _arithmetic(self, parts: list[Part], place: int) -> int:
        """`$((…))`; the offset behind it, 0 if it is a subshell in a substitution."""
        inner, end = self.matched(place + 3, "(", ")", True)
        if self.text[end + 1] == "\\":
            raise self.problem("an operator is not understood", place)
        if self.text[end + 1] != ")":
            return 0
        parts.append(Arithmetic(self.source, place, end + 2, inner))
        return end + 2

    def matched(self, place: int, opening: str, closing: str, arithmetic: bool = False) -> tuple[tuple[Part, ...], int]:
        """The expansions up to the closing character that belongs to here, and its offset."""
        self.budget.step()
        self.budget.deeper()
        text, depth, start = self.text, 1, place
        parts: list[Part] = []
        while True:
            char = text[place]
            if char == closing:
                depth -= 1
                if not depth:
                    self.budget.depth -= 1
                    return tuple(parts), place
            elif char == opening:
                depth += 1
            elif char == END:
                raise self.problem(f"`{opening}` is not closed", start - 1)
            elif char == "\\":
                place += 1
                if text[place] == END:
                    raise self.problem(f"`{opening}` is not closed", start - 1)
            elif char == "'":
                close = text.find("'", place + 1)
                if close < 0 or not {"(", ")", "[", "]", "\\", "`", "$", '"'}.isdisjoint(text[place:close]):
                    raise self.problem("quotes in brackets are read in two ways", place)
                place = close
            elif char == '"':
                place = self._double(parts, place + 1, place) - 1
            elif char == "$" or char == "`":
                place = self._dollar(parts, place, True) - 1
            elif char in "<>" and text[place + 1] == "(" and not arithmetic:
                raise self.problem("a substitution in brackets is read in two ways", place)
            place += 1

    def _expansion(self, parts: list[Part], place: int, quoted: bool) -> int:
        """`${…}`; the offset behind it."""
        self.budget.step()
        self.budget.deeper()
        text, start = self.text, place
        place += 2
        mark = ""
        if text[place] == "!" or (text[place] == "#" and text[place + 1] != "}"):
            mark = text[place]
            place += 1
        if self.zsh and (mark == "!" or not (text[place] in NAME_CHARS or text[place] in _SPECIAL)):
            raise self.foreign(start)
        end = place
        while text[end] in NAME_CHARS:
            end += 1
        if end == place and text[end] in _SPECIAL:
            end += 1
        name = text[place:end]
        if name[:1].isdigit() and not name.isdigit():
            name = ""
        place, subscript = end, None
        if text[place] == "[" and name:
            subscript, place = self.matched(place + 1, "[", "]")
            place += 1
        operator = ""
        if text[place] != "}":
            operator = next((one for one in _OPERATORS if text.startswith(one, place)), "")
            place += len(operator)
        argument: list[Part] = []
        literal = quoted and operator not in _PATTERN_OPERATORS
        place = self._argument(argument, place, start, quoted, literal)
        self.budget.depth -= 1
        name = name if operator or (text[place] == "}" and not argument) else ""
        parts.append(Expansion(self.source, start, place + 1, mark, name, subscript, operator, tuple(argument), quoted))
        return place + 1

    def _argument(self, parts: list[Part], place: int, start: int, quoted: bool, literal: bool) -> int:
        """Return what stands behind the operator of `${…}`; the offset of the closing brace.

        In double quotes bash looks for the brace as if single quotes were quotes, and reads them as characters after.
        """
        text = self.text
        while text[place] != "}":
            char = text[place]
            if char == END:
                raise self.problem("`${` is not closed", start)
            if char == "'" and quoted:
                close = text.find("'", place + 1)
                inner = text[place + 1 : close]
                if close < 0 or not _UNSAFE_IN_QUOTES.isdisjoint(inner):
                    raise self.problem("quotes in `${…}` are read in two ways", start)
                parts.append(Text(text[place : close + 1] if literal else inner, True))
                place = close + 1
            elif char == "\\" and quoted and text[place + 1] not in '$`"\\}\n':
                parts.append(Text("\\", True))
                place += 1
            elif char in "\\'\"$`":
                place = self._quoting(parts, place, char) if not (quoted and char in "$`") else (
                    self._dollar(parts, place, True))  # fmt: skip
            elif char in "<>" and text[place + 1] == "(" and not quoted:
                place = self._substitution(parts, place, 2, text[place : place + 2], False)
            else:
                parts.append(Text(char, quoted))
                place += 1
        return place

    # ---- here-documents ----------------------------------------------------------------------------------------------

    def newline(self) -> None:
        """Pass a line break, and the texts of the here-documents that begin behind it."""
        self.place += 1
        if self.pending:
            pending, self.pending = self.pending, []
            for redirection, delimiter, plain in pending:
                self._document(redirection, delimiter, plain)

    def here_document(self, redirection: Redirection) -> None:
        """Remember a here-document until its line ends."""
        target = redirection.target
        if not all(type(part) is Text for part in target.parts) or "$" in target.text:
            raise self.problem("the end of a here-document is not understood", redirection.start)
        texts = [part for part in target.parts if type(part) is Text]
        delimiter = "".join(part.text for part in texts)
        if "\n" in delimiter:
            raise self.problem("the end of a here-document is not understood", redirection.start)
        self.budget.documents += 1
        if self.budget.documents > _MOST_DOCUMENTS:
            raise Undecided("the command has too many here-documents")
        self.pending.append((redirection, delimiter, any(part.quoted for part in texts)))

    def _document(self, redirection: Redirection, delimiter: str, plain: bool) -> None:
        source, place = self.source, self.place
        tabs = redirection.operator == "<<-"
        lines: list[str] = []
        while place < len(source):
            line, place = self._line(place, plain)
            line = line.lstrip("\t") if tabs else line
            if line == delimiter:
                break
            if self.within and line.startswith(delimiter) and ")" in line[len(delimiter) :] and not self.zsh:
                place = source.rindex(line[len(delimiter) :], 0, place)  # bash alone ends it there
                break
            lines.append(line + "\n")
        self.place = place
        redirection.document = self._text("".join(lines), plain)

    def _line(self, place: int, plain: bool) -> tuple[str, int]:
        """A line of a here-document, joined with those that a backslash continues, and the offset behind it."""
        source, line = self.source, ""
        while True:
            stop = source.find("\n", place)
            end = stop if stop >= 0 else len(source)
            line += source[place:end]
            place = min(end + 1, len(source))
            if plain or stop < 0 or (len(line) - len(line.rstrip("\\"))) % 2 == 0:
                return line, place
            line = line[:-1]

    def _text(self, text: str, plain: bool) -> Document:
        if plain:
            return Document(text, None)
        inner = type(self)(text, self.dialect, self.budget, self.extended)
        parts: list[Part] = []
        depth = self.budget.depth
        try:
            inner._inside(parts, 0, _DOCUMENT_STOPS)
        except Undecided as unknown:
            parts = [Unparsed(text, 0, len(text), unknown.reasons[0])]
            self.budget.depth = depth
        return Document(text, tuple(parts))


def is_private(char: str) -> bool:
    """Return whether a font of somebody's own has an icon for the character."""
    return any(first <= char <= last for first, last in _PRIVATE)


def _need_visible(literal: str) -> None:
    """Raise Undecided for characters in code that no reader sees; icons of private fonts are seen."""
    for char in literal:
        if not char.isprintable() and not is_private(char):
            raise Undecided(f"the character U+{ord(char):04X} is not understood in code")

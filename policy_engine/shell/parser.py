"""Parse a shell script: the commands of bash's grammar, as far as sh and zsh read them alike.

What is not understood raises Undecided, or is left as `Unparsed` behind the commands that stand before it. Imported by
the hook path.
"""

from __future__ import annotations

from policy_engine.shell.lexer import END
from policy_engine.shell.tokens import BREAKS, CLOSING, Tokens
from policy_engine.shell.tree import (
    AndOr,
    Arithmetic,
    ArithmeticCommand,
    ArithmeticFor,
    Assignment,
    Case,
    Compound,
    Coprocess,
    For,
    Function,
    Group,
    If,
    Pipeline,
    Redirection,
    Sequence,
    Simple,
    Test,
    While,
    Word,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.shell.tree import Command

_ZSH_KEYWORDS = frozenset("repeat foreach end nocorrect noglob always - setopt unsetopt emulate zmodload autoload "
                          "disable functions".split())  # fmt: skip
_BRACE = ("{",)  # what may stand in the place of `then` and `do` for zsh
_DECLARES = frozenset(("export", "declare", "local", "readonly", "typeset"))
_TAKES_ARRAYS = _DECLARES | {"eval", "let", "alias"}
_UNARY = frozenset("-" + letter for letter in "abcdefghknoprstuvwxzGLNORS")
_BINARY = frozenset(("==", "=", "!=", "=~", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef", "<", ">"))


class Parser(Tokens):
    """Reads commands; `closed` if the last thing read ends a compound command, behind which a keyword may stand."""

    __slots__ = ("closed",)

    closed: bool

    def script(self) -> Sequence:
        """All of the source."""
        self.closed = False
        body = self.sequence()
        if self.place < len(self.source):
            raise self.problem("a command ends before", self.place)
        if self.pending:
            self.newline()  # the text of a here-document that the script does not hold is empty
        return body

    # ---- lists -------------------------------------------------------------------------------------------------------

    def sequence(self, *ends: str) -> Sequence:
        """Commands up to one of the ends, which is not passed."""
        items: list[tuple[Command, bool]] = []
        text = self.text
        char = self.lines()
        start = last = self.place
        while char != END and char != ")" and self.keyword() not in ends and not (char == ";" and ends[:1] == (";;",)):
            self.closed = False
            command = self.and_or()
            last = self.place
            char = self.blanks()
            if char == "\n":
                items.append((command, False))
                self.newline()
            elif (char == ";" and text[self.place + 1] not in ";&") or (char == "&" and text[self.place + 1] != "&"):
                if text[self.place + 1] == "\\" or (self.zsh and text[self.place + 1] in "|!"):
                    raise self.problem("an operator is not understood", self.place)
                items.append((command, char == "&"))
                self.place += 1
            else:
                items.append((command, False))
                if char not in ";)\0" and not self.closed and not (self.ends_at_brace(char) and "}" in ends):
                    raise self.problem("a command is not ended", self.place)
                break
            char = self.lines()
        return Sequence(self.source, start, max(start, last), tuple(items))

    def body(self, *ends: str) -> Sequence:
        """A sequence of at least one command."""
        sequence = self.sequence(*ends)
        if not sequence.items:
            raise self.problem("a command is missing", self.place)
        return sequence

    def and_or(self) -> Command:
        """`a && b || c`."""
        self.budget.step()
        start = self.place
        first = self.pipeline()
        items: list[tuple[str, Command]] = []
        text = self.text
        while True:
            char = self.blanks()
            if char not in "&|" or text[self.place + 1] != char:
                break
            self.place += 2
            self.lines()
            items.append((char + char, self.pipeline()))
        if not items:
            return first
        return AndOr(self.source, start, items[-1][1].end, (("", first), *items))

    def pipeline(self) -> Command:
        """`! time a | b`."""
        start = self.place
        keywords: list[str] = []
        while (keyword := self.keyword()) in ("!", "time"):
            self.place += len(keyword)
            keywords.append(keyword)
            char = self.blanks()
            while keyword == "time" and char == "-" and self._is_option():
                word = self.word()
                assert word is not None
                keywords.append(word.text)
                char = self.blanks()
            if char == "&" or (char == ";" and self.text[self.place + 1] in ";&"):
                raise self.problem(f"`{keyword}` is not understood", start)
            if char in "\n;\0":
                return Pipeline(self.source, start, self.place, tuple(keywords), ())
        commands = [self.command()]
        text = self.text
        while self.blanks() == "|" and text[self.place + 1] != "|":
            self.place += 1
            if text[self.place] == "&":
                self.place += 1
            if text[self.place] == "\\" and text[self.place + 1] == "\n":
                raise self.problem("an operator is not understood", self.place)
            place = self.place
            self.lines()
            if "\n" in text[place : self.place] and self.keyword() == "time":
                raise self.problem("`time` on a line of its own is not understood", self.place)
            commands.append(self.command(piped=True))
        if len(commands) == 1 and not keywords:
            return commands[0]
        return Pipeline(self.source, start, commands[-1].end, tuple(keywords), tuple(commands))

    def _is_option(self) -> bool:
        """Return whether `-p` or `--` stands here."""
        return self.text[self.place + 1] in "p-" and self.text[self.place + 2] in " \t\n;|&)\0"

    # ---- commands ----------------------------------------------------------------------------------------------------

    def command(self, piped: bool = False) -> Command:
        """One command; `piped` behind `|`, where `time` is a program."""
        char = self.text[self.place]
        if char == "(":
            return self._redirected(self._parenthesis())
        keyword = self.keyword()
        if not keyword or (keyword == "time" and piped):
            return self._simple()
        if keyword == "function":
            return self._function_keyword()
        if keyword == "coproc":
            return self._coprocess()
        if keyword in ("!", "time") or keyword in CLOSING:
            raise self.problem(f"`{keyword}` is not understood", self.place)
        return self._redirected(self._compound(keyword))

    def _compound(self, keyword: str) -> Compound:
        self.budget.deeper()
        start = self.place
        if self.posix and keyword == "[[":
            raise self.foreign(start)
        self.place += len(keyword)
        if keyword == "{":
            body = self.body("}")
            self.expect("}")
            compound: Compound = Group(self.source, start, start, (), False, body)
        elif keyword == "if":
            compound = self._if(start)
        elif keyword in ("while", "until"):
            condition = self.body("do", *_BRACE[: self.zsh])
            compound = While(self.source, start, start, (), condition, self.loop_body(self.zsh))
        elif keyword == "case":
            compound = self._case(start)
        elif keyword == "[[":
            compound = self._test(start)
        else:
            compound = self._for(start, keyword == "select")
        self.budget.depth -= 1
        return compound

    def _redirected(self, compound: Compound) -> Compound:
        """The compound command with the redirections behind it."""
        redirections: list[Redirection] = []
        compound.end = self.place
        self.closed = True
        while True:
            char = self.blanks()
            redirection = self.redirection("", self.place) if char in "<>&" else None
            if redirection is None and (char.isdigit() or char == "{"):
                redirection = self.numbered()
            if redirection is None:
                break
            self.closed = False
            redirections.append(redirection)
            compound.end = self.place
        compound.redirections = tuple(redirections)
        return compound

    def _simple(self) -> Command:
        """`A=1 name word >file`, or a function's definition."""
        text, start = self.text, self.place
        assignments: list[Assignment] = []
        words: list[Word | Assignment] = []
        redirections: list[Redirection] = []
        name: str | None = None
        last = start
        while True:
            char = self.blanks()
            if char in "<>&" and (redirection := self.redirection("", self.place)) is not None:
                redirections.append(redirection)
                last = self.place
                continue
            if char in "\n;|&)\0" or (last > start and self.ends_at_brace(char)):
                break
            if char == "(":
                if len(words) == 1 and not assignments and not redirections and isinstance(words[0], Word):
                    return self._function(start, words[0])
                raise self.problem("`(` is not understood", self.place)
            if not words or name in _TAKES_ARRAYS:
                assignment = self.assignment()
                if assignment is not None:
                    if assignment.elements is not None and redirections:
                        raise self.problem("an array is not understood", assignment.start)
                    if words:
                        words.append(assignment)
                    else:
                        assignments.append(assignment)
                    last = self.place
                    continue
            place = self.place
            word = self.argument() if words else self.word()
            assert word is not None
            if text[self.place] in "<>" and (number := self.number(word)) is not None:
                redirection = self.redirection(number, place)
                assert redirection is not None
                redirections.append(redirection)
            else:
                if not words:
                    name = word.literal()
                    if self.posix and name in ("declare", "typeset", "let"):
                        raise self.foreign(place)
                    if name == "]]" or (self.zsh and name in _ZSH_KEYWORDS):
                        raise self.problem("a command is not understood", place)
                if self.posix and name == "printf" and word.text == "-v":
                    raise self.foreign(place)
                words.append(word)
            last = self.place
        if last == start:
            raise self.problem("a command is missing", start)
        return Simple(self.source, start, last, tuple(assignments), tuple(words), tuple(redirections))

    # ---- functions and coprocesses -----------------------------------------------------------------------------------

    def _function(self, start: int, word: Word) -> Function:
        """`name() body`; the place is at the first parenthesis."""
        self.place += 1
        if self.blanks() != ")":
            raise self.problem("`(` is not understood", start)
        self.place += 1
        return self._function_body(start, word)

    def _function_keyword(self) -> Function:
        """`function name body`."""
        start = self.place
        self.place += len("function")
        self.blanks()
        word = self.word()
        if word is None:
            raise self.problem("a function without a name is not understood", start)
        if self.blanks() == "(" and self.text[self.place + 1 :].lstrip(" \t")[:1] == ")":
            self.place = self.text.index(")", self.place) + 1
        return self._function_body(start, word)

    def _function_body(self, start: int, word: Word) -> Function:
        name = word.literal()
        if name is None or word.text != name or not name.isprintable() or any(char in name for char in "*?[~=$"):
            raise self.problem("the name of a function is not understood", start)
        char = self.lines()
        if char == "(":
            body = self._redirected(self._parenthesis())
        else:
            keyword = self.keyword()
            if keyword not in ("{", "if", "while", "until", "for", "select", "case", "[["):
                raise self.problem("the body of a function is not understood", start)
            body = self._redirected(self._compound(keyword))
        return Function(self.source, start, body.end, name, body)

    def _coprocess(self) -> Coprocess:
        """`coproc command`, `coproc NAME compound`."""
        start = self.place
        self.place += len("coproc")
        name, char = "", self.blanks()
        keyword = self.keyword()
        if not keyword and char != "(":
            place = self.place
            word = self.word()
            char, keyword = self.blanks(), self.keyword()
            if self._at_end_of_test():
                raise self.problem("`coproc` is not understood", start)
            if word is not None and char != "(" and keyword:
                if keyword not in ("{", "if", "while", "until", "for", "select", "case", "[["):
                    raise self.problem("`coproc` is not understood", start)
                name = word.text
            elif word is not None and char == "(":
                name = word.text
            else:
                self.place, keyword = place, ""
        if (name and not name.isidentifier()) or keyword in ("coproc", "function", "time", "!"):
            raise self.problem("`coproc` is not understood", start)
        if self.text[self.place] == "(":
            command: Command = self._redirected(self._parenthesis())
        elif keyword:
            command = self.command()
        else:
            command = self._simple()
        if isinstance(command, Function):
            raise self.problem("`coproc` is not understood", start)
        return Coprocess(self.source, start, command.end, name, command)

    # ---- compound commands -------------------------------------------------------------------------------------------

    def _parenthesis(self) -> Compound:
        """`( … )` or `((…))`."""
        self.budget.deeper()
        start, text = self.place, self.text
        if text[start + 1] == "(":
            if self.posix:
                raise self.foreign(start)
            parts, end = self.matched(start + 2, "(", ")", True)
            if text[end + 1] in "\\\n":
                raise self.problem("an operator is not understood", start)
            if text[end + 1] == ")":
                self.place = end + 2
                self.budget.depth -= 1
                return ArithmeticCommand(self.source, start, start, (), Arithmetic(self.source, start, end + 2, parts))
        self.place = start + 1
        body = self.body(")")
        if text[self.place] != ")":
            raise self.problem("`(` is not closed", start)
        self.place += 1
        self.budget.depth -= 1
        return Group(self.source, start, start, (), True, body)

    def _if(self, start: int) -> If:
        branches: list[tuple[Sequence, Sequence]] = []
        otherwise = None
        while True:
            condition = self.body("then", *_BRACE[: self.zsh])
            braced = self.keyword() == "{"
            if not braced:
                self.expect("then")
            branches.append((condition, self.loop_body(True) if braced else self.body("elif", "else", "fi")))
            self.blanks()
            if self.keyword() != "elif":
                break
            self.place += len("elif")
        if self.keyword() == "else":
            self.place += len("else")
            self.blanks()
            braced = braced and self.keyword() == "{"
            otherwise = self.loop_body(True) if braced else self.body("fi")
        if not braced:
            self.expect("fi")
        return If(self.source, start, start, (), tuple(branches), otherwise)

    def ends_at_brace(self, char: str) -> bool:
        """Return whether a brace that stands alone ends a command, as for zsh."""
        return char == "}" and self.zsh and self.text[self.place + 1] in BREAKS

    def in_parentheses(self) -> list[Word]:
        """`(a b)`, the words of a loop of zsh."""
        raise NotImplementedError

    def loop_body(self, braces: bool) -> Sequence:
        """`do … done`, and `{ … }` where that may stand in its place."""
        opening, closing = ("{", "}") if braces and self.keyword() == "{" else ("do", "done")
        self.expect(opening)
        sequence = self.body(closing)
        self.expect(closing)
        return sequence

    def _for(self, start: int, select: bool) -> Compound:
        char = self.blanks()
        if char == "(" and self.text[self.place + 1] == "(" and not select:
            place = self.place
            parts, end = self.matched(place + 2, "(", ")", True)
            if self.text[end + 1] != ")" or self.text.count(";", place, end) != 2:
                raise self.problem("`for ((` is not understood", start)
            expression = Arithmetic(self.source, place, end + 2, parts)
            self.place = end + 2
            if self.blanks() == ";":
                self.place += 1
            self.lines()
            return ArithmeticFor(self.source, start, start, (), expression, self.loop_body(True))
        name = self.word()
        literal = None if name is None else name.literal()
        if literal is None or not literal.isidentifier() or not literal.isascii():
            raise self.problem("the variable of a loop is not understood", start)
        words: list[Word] | None = None
        if self.blanks() == "{":
            raise self.problem("a loop is not understood", start)
        if self.zsh and self.text[self.place] == "(" and not select:
            words = self.in_parentheses()
        elif self.text[self.place] == ";":
            self.place += 1
            self.lines()
        else:
            self.lines()
            if self.keyword() == "in":
                words = self._listed()
        return For(
            self.source,
            start,
            start,
            (),
            select,
            literal,
            None if words is None else tuple(words),
            self.loop_body(True),
        )

    def _listed(self) -> list[Word]:
        """The words behind `in`, and what ends them."""
        start = self.place
        self.place += len("in")
        words: list[Word] = []
        while (char := self.blanks()) not in ";\n":
            word = None if char in "<>" and self.text[self.place + 1] != "(" else self.argument()
            if word is None:
                raise self.problem("the words of a loop are not understood", start)
            words.append(word)
        if char == ";":
            self.place += 1
        self.lines()
        return words

    def _case(self, start: int) -> Case:
        self.blanks()
        word = self.word()
        if word is None:
            raise self.problem("a `case` is not understood", start)
        self.lines()
        self.expect("in")
        clauses: list[tuple[tuple[Word, ...], Sequence]] = []
        text = self.text
        while True:
            char = self.lines()
            if self.keyword() == "esac":
                break
            if char == "(":
                self.place += 1
                self.blanks()
            patterns: list[Word] = []
            while True:
                pattern = self.word()
                if pattern is None:
                    raise self.problem("a pattern of `case` is not understood", self.place)
                patterns.append(pattern)
                if self.blanks() != "|" or text[self.place + 1] == "|":
                    break
                self.place += 1
                self.blanks()
            if text[self.place] != ")":
                raise self.problem("a pattern of `case` is not understood", self.place)
            self.place += 1
            clauses.append((tuple(patterns), self.sequence(";;", "esac")))
            self.blanks()
            if text[self.place] == ";":
                end = next((one for one in (";;&", ";;", ";&") if text.startswith(one, self.place)), "")
                if not end:
                    raise self.problem("a `case` is not understood", start)
                self.place += len(end)
            elif self.keyword() != "esac":
                raise self.problem("`esac` is missing", self.place)
        self.place += len("esac")
        return Case(self.source, start, start, (), word, tuple(clauses))

    # ---- conditions --------------------------------------------------------------------------------------------------

    def _test(self, start: int) -> Test:
        items: list[Word | str] = []
        self._disjunction(items)
        if self.lines() != "]" or not self._at_end_of_test():
            raise self.problem("`[[` is not understood", start)
        self.place += 2
        return Test(self.source, start, start, (), tuple(items))

    def _at_end_of_test(self) -> bool:
        text, place = self.text, self.place
        return text[place : place + 2] == "]]" and text[place + 2] in BREAKS

    def _disjunction(self, items: list[Word | str]) -> None:
        """`a && b || c` in a condition."""
        while True:
            self._term(items)
            char = self.lines()
            if char not in "&|" or self.text[self.place + 1] != char:
                return
            items.append(char + char)
            self.place += 2

    def _term(self, items: list[Word | str]) -> None:
        self.budget.step()
        start, char = self.place, self.lines()
        while self.keyword() == "!":
            items.append("!")
            self.place += 1
            char = self.lines()
        if char == "(":
            self.budget.deeper()
            items.append("(")
            self.place += 1
            self._disjunction(items)
            if self.lines() != ")":
                raise self.problem("`[[` is not understood", start)
            items.append(")")
            self.place += 1
            self.budget.depth -= 1
            return
        first = self._operand(items, "")
        char = self.blanks()
        if first.literal() in _UNARY:
            self._operand(items, "")
            return
        operator = char if char in "<>" and self.text[self.place + 1] != "(" else ""
        if operator:
            self.place += 1
        elif char not in "&|)\n\0" and not self._at_end_of_test():
            word = self.word()
            operator = "" if word is None else word.text
            if operator not in _BINARY:
                raise self.problem("`[[` is not understood", start)
        if operator:
            items.append(operator)
            self.blanks()
            self._operand(items, "=~" if operator == "=~" else "==" if operator in ("==", "=", "!=") else "")

    def _operand(self, items: list[Word | str], pattern: str) -> Word:
        if self._at_end_of_test():
            raise self.problem("`[[` lacks an operand", self.place)
        word = self.word(pattern)
        if word is None:
            raise self.problem("`[[` is not understood", self.place)
        items.append(word)
        return word

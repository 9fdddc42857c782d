"""Read what stands between the words of a shell script: blanks, comments, keywords, redirections, assignments.

Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.shell.lexer import NAME_CHARS, Lexer
from policy_engine.shell.tree import Assignment, Redirection, Text, Word

CLOSING = frozenset(("then", "elif", "else", "fi", "do", "done", "esac", "}", "in"))
_OPENING = frozenset(("if", "while", "until", "for", "select", "case", "function", "coproc", "time", "!", "{", "[["))
_KEYWORDS = CLOSING | _OPENING
_KEYWORD_STARTS = frozenset(word[0] for word in _KEYWORDS)
BREAKS = frozenset(" \t\n|&;()<>\0")
_REDIRECTIONS = ("&>>", "<<<", "<<-", "&>", "<<", ">>", ">|", "<>", "<&", ">&", "<", ">")


class Tokens(Lexer):
    """Reads what commands are made of beside words."""

    __slots__ = ()

    def blanks(self) -> str:
        """Pass blanks, continued lines and a comment; the character behind them."""
        text, place = self.text, self.place
        while True:
            char = text[place]
            if char in " \t":
                place += 1
            elif char == "\\" and text[place + 1] == "\n":
                place += 2
            elif char == "#":
                end = text.find("\n", place)
                place = len(self.source) if end < 0 else end
            else:
                self.place = place
                return char

    def lines(self) -> str:
        """Pass blanks, comments and line breaks; the character behind them."""
        while (char := self.blanks()) == "\n":
            self.newline()
        return char

    def argument(self) -> Word | None:
        """The word that begins here and is no program, None if there is none."""
        return self.word()

    def keyword(self) -> str:
        """The reserved word that stands here, "" if there is none."""
        text, place = self.text, self.place
        if text[place] not in _KEYWORD_STARTS:
            return ""
        end = place
        while text[end] not in BREAKS and text[end] != "\\":
            end += 1
        if text[end] == "\\":
            return self._continued_keyword()
        word = text[place:end]
        return word if word in _KEYWORDS and text[end : end + 2] not in ("<(", ">(") else ""

    def _continued_keyword(self) -> str:
        """A reserved word with a continued line in it. Raises Undecided."""
        start = self.place
        word = self.word()
        self.place = start
        if word is not None and word.literal() in _KEYWORDS:
            raise self.problem("a continued keyword is not understood", start)
        return ""

    def expect(self, keyword: str) -> None:
        """Pass a keyword. Raises Undecided for anything else."""
        if self.keyword() != keyword:
            raise self.problem(f"`{keyword}` is missing", self.place)
        self.place += len(keyword)

    def numbered(self) -> Redirection | None:
        """A redirection with a number before it, if one stands here."""
        start = self.place
        word = self.word()
        if word is None or (number := self.number(word)) is None:
            self.place = start
            return None
        return self.redirection(number, start)

    def number(self, word: Word) -> str | None:
        """Return what a redirection that follows directly says it redirects."""
        if self.text[self.place] not in "<>" or self.text[self.place + 1] == "(":
            return None
        literal = word.literal()
        if literal is None or not (literal.isdigit() or (literal[0] == "{" and literal[1:-1].isidentifier())):
            return None
        if literal != word.text:
            raise self.problem("a redirection with a break in it is not understood", word.start)
        return literal if literal.isdigit() or literal[-1] == "}" else None

    def redirection(self, number: str, start: int) -> Redirection | None:
        """The redirection whose operator stands here, None if there is none."""
        text, place = self.text, self.place
        if text[place + 1] == "(" or (text[place] == "&" and text[place + 1] != ">"):
            return None
        operator = next((one for one in _REDIRECTIONS if text.startswith(one, place)), "")
        if not operator:
            return None
        if self.posix and operator[0] == "&":
            raise self.foreign(start)
        place += len(operator)
        if text[place] == "\\" and text[place + 1] == "\n":
            raise self.problem("a redirection with a break in it is not understood", start)
        if self.zsh and (text[place] in "!|" or (operator == "<" and (text[place].isdigit() or text[place] == "-"))):
            raise self.foreign(start)
        self.place = place
        behind = text[place + 1 : place + 3]
        if text[place] == "-" and operator[-1] == "&" and (behind[:1] not in BREAKS or behind in ("<(", ">(")):
            raise self.problem("a redirection is not understood", start)  # `>&-x` is two things for bash
        self.blanks_only()
        target = self.word()
        if target is None or self.number(target) is not None:  # which belongs to the next redirection
            raise self.problem(f"the redirection `{operator}` has no target", start)
        redirection = Redirection(self.source, start, self.place, number, operator, target, None)
        if operator in ("<<", "<<-"):
            self.here_document(redirection)
        return redirection

    def blanks_only(self) -> None:
        """Pass blanks and continued lines: behind a redirection's operator `#` is refused by all shells."""
        text = self.text
        while text[self.place] in " \t" or (text[self.place] == "\\" and text[self.place + 1] == "\n"):
            self.place += 1 if text[self.place] != "\\" else 2
        if text[self.place] == "#":
            raise self.problem("a redirection has no target", self.place)

    # ---- assignments -------------------------------------------------------------------------------------------------

    def assignment(self) -> Assignment | None:
        """The assignment that stands here, None if it is another word."""
        text, start = self.text, self.place
        end = start
        while text[end] in NAME_CHARS:
            end += 1
        char = text[end]
        if end == start or text[start].isdigit() or char not in "=+[\\":
            return None
        if char == "\\":
            return self._continued_assignment(start, end)
        subscript = None
        place = end
        if char == "[":
            subscript, place = self.matched(end + 1, "[", "]")
            place += 1
        appends = text[place] == "+"
        if text[place + appends] != "=":
            if subscript is not None and not BREAKS.isdisjoint(text[end:place]):
                raise self.problem("a subscript with a blank is not understood", start)
            return None
        if self.posix and appends:
            raise self.foreign(start)
        self.place = place + appends + 1
        name = text[start:end]
        if text[self.place] == "(":
            if subscript is not None:
                raise self.problem("`(` is not understood", self.place)
            elements = self._elements()
            if text[self.place] not in BREAKS or text[self.place : self.place + 2] in ("<(", ">("):
                raise self.problem("an array is not understood", start)
            return Assignment(self.source, start, self.place, name, appends, None, (), elements)
        word = None if text[self.place] in BREAKS and text[self.place : self.place + 2] not in ("<(", ">(") else (
            self.word())  # fmt: skip
        return Assignment(
            self.source, start, self.place, name, appends, subscript, () if word is None else word.parts, None
        )

    def _continued_assignment(self, start: int, end: int) -> Assignment | None:
        """An assignment whose name is continued on the next line. Raises Undecided."""
        if self.text[end + 1] == "\n":
            word = self.word()
            self.place = start
            first = word.parts[0] if word is not None else None
            if type(first) is Text and not first.quoted and ("=" in first.text or "[" in first.text):
                raise self.problem("a continued name is not understood", start)
        return None

    def _elements(self) -> tuple[Word, ...]:
        """`(a b c)`, the elements of an array."""
        start = self.place
        self.place += 1
        self.budget.deeper()
        words: list[Word] = []
        while (char := self.lines()) != ")":
            if char == "[":
                place = self.place
                self.matched(place + 1, "[", "]")
                self.place = place
            word = None if char in "<>" and self.text[self.place + 1] != "(" else self.argument()
            if word is None:
                raise self.problem("an array is not understood", start)
            words.append(word)
        self.budget.depth -= 1
        self.place += 1
        return tuple(words)

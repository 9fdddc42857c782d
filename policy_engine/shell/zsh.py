"""Parse what zsh alone reads: glob qualifiers, short loops, braces for `then` and `do`, `repeat`, `noglob`.

Qualifiers choose among the files that a pattern fits, so that the pattern stands for them; one that runs code or
changes the names is not understood, nor is any other form of zsh. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.lazy_regex import lazy
from policy_engine.shell.parser import Parser
from policy_engine.shell.tree import For, Sequence, Simple, Text, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.shell.tree import Command, Part

_CHOICES = (
    r"[-^,/F.@=p*%rwxARIWEXsStNn]"  # kinds, rights, no files at all, order by number
    r"|[amc][Mwhmsd]?[-+]?[0-9]+|L[kKmMpP]?[-+]?[0-9]+|l[-+]?[0-9]+"  # times, sizes, links
    r"|[oO][nLlamcd]|Y[0-9]+|\[-?[0-9]+(?:,-?[0-9]+)?\]"  # order, how many, which
)
_QUALIFIERS = lazy(rf"\((?:{_CHOICES})+\)(?=[ \t\n|&;)\0])")
_GLOBS = lazy(r"([*?\[\]^#]+)")
_MOST_TIMES = 32  # of `repeat`, which are looked at one by one
_MODIFIERS = ("noglob", "nocorrect")


class ZshParser(Parser):
    """Reads commands of zsh; `qualified` counts the patterns with qualifiers."""

    __slots__ = ("qualified",)

    qualified: int

    def script(self) -> Sequence:
        """All of the source."""
        self.qualified = 0
        return super().script()

    def command(self, piped: bool = False) -> Command:
        """One command, perhaps behind a word that says how its own words are read."""
        start = self.place
        modifier = next((name for name in (*_MODIFIERS, "repeat") if self._begins_with(name)), "")
        if modifier == "repeat":
            return self._redirected(self._repeat())
        if not modifier:
            return super().command(piped)
        self.place += len(modifier)
        self.blanks()
        before = self.qualified
        command = self.command()
        if not isinstance(command, Simple) or command.assignments or self.qualified != before:
            raise self.problem(f"`{modifier}` is not understood", start)
        words = [_unmatched(word) if isinstance(word, Word) else word for word in command.words]
        plain = tuple(words) if modifier == "noglob" else command.words
        return Simple(self.source, start, command.end, (), plain, command.redirections)

    def _begins_with(self, name: str) -> bool:
        end = self.place + len(name)
        return self.text.startswith(name, self.place) and self.text[end] in " \t"

    def argument(self) -> Word | None:
        """The word that begins here, with its qualifiers."""
        start, word = self.place, self.word()
        if word is None or self.text[self.place] != "(":
            return word
        has_pattern = any(type(part) is Text and not part.quoted and _GLOBS.search(part.text) for part in word.parts)
        qualifiers = _QUALIFIERS.match(self.text, self.place)
        if qualifiers is None or not has_pattern:
            return word  # and the parenthesis is not understood
        self.qualified += 1
        self.place = qualifiers.end()
        return Word(self.source, start, self.place, word.parts)

    def in_parentheses(self) -> list[Word]:
        """`(a b)`, the words of a loop, and what ends them."""
        start, words = self.place, list[Word]()
        self.place += 1
        while (char := self.lines()) != ")":
            word = None if char in "<>" and self.text[self.place + 1] != "(" else self.argument()
            if word is None:
                raise self.problem("the words of a loop are not understood", start)
            words.append(word)
        self.place += 1
        self._pass_end()
        return words

    def _pass_end(self) -> None:
        if self.blanks() == ";" and self.text[self.place + 1] not in ";&":
            self.place += 1
        self.lines()

    def loop_body(self, braces: bool) -> Sequence:
        """`do … done`, `{ … }`, or one command."""
        if not braces or self.keyword() in ("do", "{"):
            return super().loop_body(braces)
        start = self.place
        command = self.and_or()
        return Sequence(self.source, start, command.end, ((command, False),))

    def _repeat(self) -> For:
        """`repeat 3 command`: a loop over as many words, or over one that nobody knows."""
        self.budget.deeper()
        start = self.place
        self.place += len("repeat")
        self.blanks()
        count = self.word()
        if count is None:
            raise self.problem("`repeat` is not understood", start)
        self._pass_end()
        times = count.literal() or ""
        known = times.isdecimal() and len(times) < 3 and int(times) <= _MOST_TIMES
        words = (count,) * int(times) if known else (count,)
        body = self.loop_body(True)
        self.budget.depth -= 1
        return For(self.source, start, start, (), not known, "repeat ", words, body)


def _unmatched(word: Word) -> Word:
    """The word with its patterns as plain text."""
    parts: list[Part] = []
    for part in word.parts:
        if type(part) is Text and not part.quoted:
            pieces = _GLOBS.split(part.text)
            parts += [Text(piece, place % 2 == 1) for place, piece in enumerate(pieces) if piece]
        else:
            parts.append(part)
    return Word(word.source, word.start, word.end, tuple(parts))

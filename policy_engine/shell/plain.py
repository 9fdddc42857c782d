"""A shell line → segments between `&&`, each as its text and its words; the only place that reads characters.

Understood: unquoted plain characters, `'…'`, `"…"` without `$`, backtick, backslash and `!`, a leading `~` or `~/`.
Anything else raises Undecided for the whole line. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.undecided import Undecided
from policy_engine.shell.names import RESERVED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.model.world import World

_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,@+ ")
_WORD = _PLAIN - {" "} | frozenset("%]^~#")


class Word:
    """One word, unquoted: `assigns` if it reads as `NAME=value`, `quoted` if a part of it was quoted."""

    __slots__ = ("text", "assigns", "quoted")

    def __init__(self, text: str, assigns: bool, quoted: bool) -> None:
        self.text = text
        self.assigns = assigns
        self.quoted = quoted


def segments(line: str, world: World) -> list[tuple[str, list[Word]]]:
    """Text and words of each part of an `&&` list; at least one part, none empty. Raises Undecided."""
    line = line.strip(" \t\n")
    if _PLAIN.issuperset(line):
        if not line:
            raise Undecided("an empty command is not understood yet")
        return [(line, [Word(_checked(word), _assigns(word), False) for word in line.split()])]
    reader = _Reader(line, world)
    reader.read()
    return reader.parts


def _checked(word: str) -> str:
    if word[0] == "=":
        raise Undecided("a word that starts with `=` is not understood yet")
    return word


def _assigns(plain: str) -> bool:
    name, equals, _ = plain.partition("=")
    name = name.removesuffix("+")
    return bool(equals) and name.isidentifier() and name.isascii()


class _Reader:
    """One pass over the characters."""

    def __init__(self, line: str, world: World) -> None:
        self.line = line
        self.world = world
        self.place = 0
        self.parts: list[tuple[str, list[Word]]] = []

    def read(self) -> None:
        line, start = self.line, 0
        words: list[Word] = []
        while self.place < len(line):
            char = line[self.place]
            if char in " \t":
                self.place += 1
            elif char == "&":
                if line[self.place : self.place + 2] != "&&":
                    raise Undecided("`&` is not understood yet")
                self._close(start, words)
                self.place += 2
                start, words = self.place, []
            else:
                words.append(self._word())
        self._close(start, words)

    def _close(self, start: int, words: list[Word]) -> None:
        if not words:
            raise Undecided("`&&` without a command is not understood yet")
        self.parts.append((self.line[start : self.place].strip(" \t"), words))

    def _word(self) -> Word:
        line, start = self.line, self.place
        text: list[str] = []
        plain = ""  # up to the first quote: only there a tilde or an assignment is one
        quoted = False
        while self.place < len(line):
            char = line[self.place]
            if char in " \t&":
                break
            if char in "'\"":
                text.append(self._quoted(char))
                quoted = True
                continue
            self._accept(char, start)
            text.append(char)
            plain += "" if quoted else char
            self.place += 1
        if quoted and plain in RESERVED:
            raise Undecided(f"`{plain}` before a quote is not understood yet")
        return Word(self._expanded("".join(text), plain, quoted), _assigns(plain), quoted)

    def _accept(self, char: str, start: int) -> None:
        """One unquoted character. Raises Undecided if it means, or may mean, more than itself."""
        first = self.place == start
        if char in _WORD:
            if first and char in "#=^":
                raise Undecided(f"`{char}` at the start of a word is not understood yet")
        elif char.isascii() or not char.isprintable() or char.isspace():
            raise Undecided(f"{_named(char)} is not understood yet")

    def _quoted(self, quote: str) -> str:
        end = self.line.find(quote, self.place + 1)
        if end < 0:
            raise Undecided(f"the quote {quote} is not closed")
        inner = self.line[self.place + 1 : end]
        for char in inner:
            if quote == '"' and char in "$`\\!":
                raise Undecided(f"`{char}` in double quotes is not understood yet")
            if not char.isprintable() and char not in "\n\t" and not (char.isspace() and not char.isascii()):
                raise Undecided(f"{_named(char)} is not understood yet")
        self.place = end + 1
        return inner

    def _expanded(self, text: str, plain: str, quoted: bool) -> str:
        """The word with its leading `~` replaced by the home folder."""
        if "~" not in plain:
            return text
        if "=~" in plain or ":~" in plain:
            raise Undecided("`~` after `=` or `:` is not understood yet")
        if plain[0] != "~":
            return text
        if (plain != "~" or quoted) and plain[:2] != "~/":
            raise Undecided(f"`{text[:80]}` may be another user's home")
        if self.world.home is None:
            raise Undecided("the home folder is not known")
        return self.world.home + text[1:]


def _named(char: str) -> str:
    if char == "\n":
        return "a line break"
    return f"`{char}`" if char.isascii() and char.isprintable() else f"the character U+{ord(char):04X}"

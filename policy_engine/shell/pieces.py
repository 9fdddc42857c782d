"""One word's raw text → its pieces: literal characters, quoted text, and expansions with what is known of them.

The grammar says where a word and the substitutions in it stand; what its quotes and backslashes mean is read here. A
word whose text is not used up exactly raises Undecided: the two readings must agree. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.partial import MANY, ONE
from policy_engine.model.undecided import Undecided
from policy_engine.shell.ansi import ansi_c
from policy_engine.shell.script import Script, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Protocol

    class Expander(Protocol):
        """Who knows variables and runs substitutions."""

        def parameter(self, name: str) -> str | tuple[str, ...]: ...
        def operation(self, script: Script, start: int, end: int, quoted: bool) -> str | tuple[str, ...]: ...
        def substitution(self, script: Script, node: Any) -> str: ...


# A piece is (kind, text): "char" one active character, "text" quoted text, "value" unquoted expansion, "fields" `"$@"`.
Piece = tuple[str, "str | tuple[str, ...]"]

_ENDS = frozenset(" \t\n|&;()<>")
_NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789")
SUBSTITUTIONS = ("command_substitution", "process_substitution", "arithmetic_expansion", "expansion")


class WordReader:
    """Reads one word of a script between two offsets; `nodes` maps the start of a substitution to its node."""

    def __init__(self, script: Script, start: int, end: int, nodes: dict[int, Any], expander: Expander) -> None:
        self.script = script
        self.text = script.text
        self.place = start
        self.start = start
        self.end = end
        self.nodes = nodes
        self.expander = expander
        self.pieces: list[Piece] = []
        self.quoted = False

    def read(self) -> list[Piece]:
        """All pieces. Raises Undecided."""
        text = self.text
        while self.place < self.end:
            char = text[self.place]
            if char == "\\":
                self._escape()
            elif char == "'":
                self._single()
            elif char == '"':
                self.place += 1
                self._double()
            elif char == "`" or char == "$" or (char in "<>" and text[self.place + 1 : self.place + 2] == "("):
                self._dollar(False)
            elif char in _ENDS:
                raise self._disagree()
            else:
                if char == "#" and self.place == self.start and text[self.place - 1 : self.place] != "=":
                    raise self._disagree()
                self.pieces.append(("char", self._character()))
        if self.place != self.end:
            raise self._disagree()
        return self.pieces

    def _disagree(self) -> Undecided:
        return Undecided(f"`{self.script.shown(self.start, self.end)[:80]}` is read in two ways")

    def _character(self) -> str:
        """One unquoted character, decoded. Raises Undecided for blanks and invisible ones that only look like code."""
        text, place = self.text, self.place
        char = text[place]
        size = 1 if char < "\x80" else 4 if char >= "\xf0" else 3 if char >= "\xe0" else 2
        self.place += size
        if size > 1:
            char = shown(text[place : place + size])
            if len(char) != 1 or not char.isprintable() or char.isspace():
                raise Undecided(f"the character U+{ord(char[0]):04X} is not understood in code")
        return char

    def _escape(self) -> None:
        if self.text[self.place + 1 : self.place + 2] == "\n":
            self.place += 2
            return
        if self.place + 1 >= self.end:
            raise self._disagree()
        self.place += 1
        self.quoted = True
        char = self.text[self.place]
        if char < "\x80":
            self.place += 1
        else:
            char = self._character()
        self.pieces.append(("text", char))

    def _single(self) -> None:
        close = self.text.find("'", self.place + 1, self.end)
        if close < 0:
            raise self._disagree()
        self.quoted = True
        self.pieces.append(("text", shown(self.text[self.place + 1 : close])))
        self.place = close + 1

    def _double(self) -> None:
        """What follows an opening double quote, up to the closing one."""
        text, run = self.text, self.place
        self.quoted = True
        self.pieces.append(("text", ""))
        while self.place < self.end:
            char = text[self.place]
            if char == '"':
                self._literal(run)
                self.place += 1
                return
            if char == "\\" and text[self.place + 1 : self.place + 2] in ("$", "`", '"', "\\", "\n"):
                self._literal(run)
                following = text[self.place + 1]
                self.pieces.append(("text", "" if following == "\n" else following))
                self.place += 2
                run = self.place
            elif char == "$" or char == "`":
                self._literal(run)
                self._dollar(True)
                run = self.place
            else:
                self.place += 2 if char == "\\" else 1
        raise self._disagree()

    def _literal(self, run: int) -> None:
        if self.place > run:
            self.pieces.append(("text", shown(self.text[run : self.place])))

    def _dollar(self, quoted: bool) -> None:
        """`$…`, a backtick or a process substitution, at `place`."""
        text, place = self.text, self.place
        following = text[place + 1 : place + 2]
        if following == "\\" and text[place + 2 : place + 3] == "\n":
            raise self._disagree()  # the shell takes the break out before it looks what the `$` stands before
        if text[place] == "$" and not quoted and following == "'":
            value, self.place = ansi_c(text, place + 2, self.end)
            self.quoted = True
            self.pieces.append(("text", value))
        elif text[place] == "$" and not quoted and following == '"':
            self.place += 2
            self._double()
        elif text[place] == "$" and following and (following in _NAME or following in "@*#?$!-"):
            self._parameter(quoted)
        elif text[place] == "$" and following not in ("{", "("):
            if following == "[":
                raise Undecided("`$[` is not understood yet")
            self.pieces.append(("text" if quoted else "char", "$"))
            self.place += 1
        else:
            self._substitution(quoted)

    def _parameter(self, quoted: bool) -> None:
        text, place = self.text, self.place + 1
        end = place + 1
        if text[place] in _NAME and not text[place].isdigit():
            while end < self.end and text[end] in _NAME:
                end += 1
        name = text[place:end]
        self.place = end
        if end > self.end or text[end : end + 2] == "\\\n":  # behind the break the name may go on
            raise self._disagree()
        self._value(self.expander.parameter(name), quoted, name)

    def _substitution(self, quoted: bool) -> None:
        node = self.nodes.get(self.place)
        if node is None or node.end_byte > self.end:
            raise self._disagree()
        self.place = node.end_byte
        name = ""
        if node.type == "expansion":
            value: str | tuple[str, ...] = self.expander.operation(self.script, node.start_byte, node.end_byte, quoted)
            name = "@" if "@" in self.text[node.start_byte : node.end_byte] else ""
        else:
            value = self.expander.substitution(self.script, node)
            if node.type != "command_substitution":
                self.pieces.append(("text", value))  # one word: a name below /dev/fd, or a number
                return
        self._value(value, quoted, name)

    def _value(self, value: str | tuple[str, ...], quoted: bool, name: str) -> None:
        if isinstance(value, tuple):
            if quoted and name == "@":
                self.pieces.append(("fields", value))
                return
            value = " ".join(value)
        if quoted:
            # `"$@"` and `"${a[@]}"` may be any number of words even in quotes; all else is one
            keep = MANY if name == "@" else ONE
            self.pieces.append(("text", value.replace(MANY, keep) if name != "@" else value))
        else:
            self.pieces.append(("value", value.replace(ONE, MANY)))

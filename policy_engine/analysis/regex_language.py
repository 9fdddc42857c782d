"""Convert a regex in RE2's syntax to the automaton of the texts that it is found in, exactly as RE2 searches.

The checker has made sure that RE2 takes the pattern, so this reader need not complain. What it does not model (Unicode
properties, single bytes, ignoring the case of letters beyond ASCII) raises TooHard.
"""

from __future__ import annotations

from functools import lru_cache

from policy_engine.analysis import regular
from policy_engine.analysis.regex_classes import ESCAPES, POSIX, escaped_character, folded
from policy_engine.analysis.regular import LAST, Automaton, Ranges, TooHard, find, inverted
from policy_engine.checker.tree import RegexPattern
from policy_engine.model.regexes import RegexError, search

_ANY: Ranges = ((0, LAST),)
_MOST = 400  # copies of one part that `{n,m}` may ask for
_ASSERTIONS = {"A": regular.TEXT_START, "z": regular.TEXT_END, "b": regular.BOUNDARY, "B": regular.NO_BOUNDARY}

Node = tuple[object, ...]
"""("set", ranges) · ("at", condition) · ("all", nodes) · ("one", nodes) · ("repeat", node, least, most or None)"""


@lru_cache(maxsize=1024)
def regex_automaton(pattern: RegexPattern) -> Automaton:
    """Return the texts in which the pattern is found. Raises TooHard."""
    node = _read(pattern)
    automaton = Automaton()
    automaton.move(0, _ANY, 0)
    end = _build(automaton, node, 0)
    automaton.final = automaton.state()
    automaton.jump(end, automaton.final)
    automaton.move(automaton.final, _ANY, automaton.final)
    return automaton


def matches_nothing(pattern: RegexPattern) -> bool:
    """Return whether certainly no text contains a match."""
    try:
        if search(pattern, sample(pattern)):
            return False
        return find((regex_automaton(pattern),), lambda accepted: accepted[0]) is None
    except (TooHard, RegexError):
        return False


@lru_cache(maxsize=4096)
def sample(pattern: RegexPattern) -> str:
    """Return a text that the pattern most likely matches. Raises TooHard."""
    return _sample(_read(pattern))


def _read(pattern: RegexPattern) -> Node:
    reader = _Reader(pattern.pattern, pattern.ignore_case)
    node = reader.alternatives()
    if reader.at < len(reader.text):
        raise TooHard
    return node


def _sample(node: Node) -> str:
    """Return the first alternative of everything, repeated as seldom as possible."""
    match node:
        case ("set", tuple() as ranges):
            for char in "a0-":
                if any(low <= ord(char) <= high for low, high in ranges):
                    return char
            return chr(ranges[0][0]) if ranges else ""
        case ("all", list() as parts):
            return "".join(_sample(part) for part in parts)
        case ("one", list() as parts):
            return _sample(parts[0])
        case ("repeat", tuple() as part, int() as least, _) if least <= _MOST:
            return _sample(part) * least
    return ""


def _build(into: Automaton, node: Node, start: int) -> int:
    """Add a part that begins at `start`. Return the state where it ends."""
    match node:
        case ("set", tuple() as ranges):
            end = into.state()
            into.move(start, ranges, end)
            return end
        case ("at", int() as condition):
            end = into.state()
            into.jump(start, end, condition)
            return end
        case ("all", list() as parts):
            for part in parts:
                start = _build(into, part, start)
            return start
        case ("one", list() as parts):
            end = into.state()
            for part in parts:
                begin = into.state()
                into.jump(start, begin)
                into.jump(_build(into, part, begin), end)
            return end
        case ("repeat", tuple() as part, int() as least, most):
            return _repeat(into, part, start, least, most)
    raise TooHard


def _repeat(into: Automaton, part: Node, start: int, least: int, most: object) -> int:
    if least > _MOST or (isinstance(most, int) and most > _MOST):
        raise TooHard
    for _ in range(least):
        start = _build(into, part, start)
    end = into.state()
    into.jump(start, end)
    if not isinstance(most, int):
        begin = into.state()
        into.jump(start, begin)
        into.jump(_build(into, part, begin), start)
        return end
    for _ in range(most - least):
        begin = into.state()
        into.jump(start, begin)
        start = _build(into, part, begin)
        into.jump(start, end)
    return end


class _Reader:
    """A walk over the pattern's text; `flags` are those in force where it stands."""

    def __init__(self, text: str, ignore_case: bool) -> None:
        self.text = text
        self.at = 0
        self.flags = {"i"} if ignore_case else set()

    def alternatives(self) -> Node:
        parts = [self._sequence()]
        while self._takes("|"):
            parts.append(self._sequence())
        return parts[0] if len(parts) == 1 else ("one", parts)

    def _takes(self, word: str) -> bool:
        if self.text.startswith(word, self.at):
            self.at += len(word)
            return True
        return False

    def _sequence(self) -> Node:
        parts: list[Node] = []
        while self.at < len(self.text) and self.text[self.at] not in "|)":
            if self._takes("\\Q"):
                end = self.text.find("\\E", self.at)
                quoted = self.text[self.at : end if end >= 0 else len(self.text)]
                self.at = len(self.text) if end < 0 else end + 2
                parts += [self._character(char) for char in quoted]
                if parts and quoted:
                    parts.append(self._repeated(parts.pop()))
                continue
            part = self._part()
            if part is not None:
                parts.append(self._repeated(part))
        return ("all", parts)

    def _repeated(self, part: Node) -> Node:
        while self.at < len(self.text):
            bounds = self._bounds()
            if bounds is None:
                return part
            self._takes("?")  # lazy or greedy, the language is the same
            part = ("repeat", part, *bounds)
        return part

    def _bounds(self) -> tuple[int, int | None] | None:
        for sign, bounds in (("*", (0, None)), ("+", (1, None)), ("?", (0, 1))):
            if self._takes(sign):
                return bounds
        close = self.text.find("}", self.at)
        if self.text[self.at] != "{" or close < 0:
            return None
        low, comma, high = self.text[self.at + 1 : close].partition(",")
        if not low.isdigit() or not (high.isdigit() or not high):
            return None
        self.at = close + 1
        return int(low), int(high) if high else None if comma else int(low)

    def _part(self) -> Node | None:
        char = self.text[self.at]
        self.at += 1
        match char:
            case "(":
                return self._group()
            case "[":
                return ("set", self._class())
            case "\\":
                return self._escape()
            case ".":
                return ("set", _ANY if "s" in self.flags else inverted(((10, 10),)))
            case "^":
                return ("at", regular.LINE_START if "m" in self.flags else regular.TEXT_START)
            case "$":
                return ("at", regular.LINE_END if "m" in self.flags else regular.TEXT_END)
            case _:
                return self._character(char)

    def _character(self, char: str) -> Node:
        return ("set", self._folded(((ord(char), ord(char)),)))

    def _folded(self, ranges: Ranges) -> Ranges:
        return folded(ranges) if "i" in self.flags else ranges

    def _group(self) -> Node | None:
        before = set(self.flags)
        if self._takes("?P<") or self._takes("?<"):
            self.at = self.text.index(">", self.at) + 1
        elif self._takes("?"):
            on = True
            while self.text[self.at] not in ":)":
                flag = self.text[self.at]
                self.at += 1
                if flag == "-":
                    on = False
                elif on:
                    self.flags.add(flag)
                else:
                    self.flags.discard(flag)
            self.at += 1
            if self.text[self.at - 1] == ")":
                return None  # the flags hold to the end of the group around
        node = self.alternatives()
        if not self._takes(")"):
            raise TooHard
        self.flags = before
        return node

    def _escape(self) -> Node:
        char = self.text[self.at]
        if char in _ASSERTIONS:
            self.at += 1
            return ("at", _ASSERTIONS[char])
        if char in ESCAPES:
            self.at += 1
            return ("set", ESCAPES[char])
        code, self.at = escaped_character(self.text, self.at)
        return self._character(chr(code))

    def _class(self) -> Ranges:
        negated = self._takes("^")
        characters: list[tuple[int, int]] = []
        first = True
        while first or self.text[self.at] != "]":
            first = False
            characters += self._item()
        self.at += 1
        ranges = tuple(characters)
        return inverted(ranges) if negated else ranges

    def _item(self) -> Ranges:
        """One entry of a character class, with the case ignored where that is asked for."""
        if self._takes("[:"):
            name = self.text[self.at : self.text.index(":]", self.at)]
            self.at += len(name) + 2
            ranges = self._folded(POSIX[name.removeprefix("^")])
            return inverted(ranges) if name[:1] == "^" else ranges
        if self.text[self.at] == "\\" and self.text[self.at + 1] in ESCAPES:
            self.at += 2
            return ESCAPES[self.text[self.at - 1]]
        low = self._code()
        high = low
        if self.text[self.at] == "-" and self.text[self.at + 1] != "]":
            self.at += 1
            high = self._code()
        return self._folded(((low, high),))

    def _code(self) -> int:
        char = self.text[self.at]
        self.at += 1
        if char != "\\":
            return ord(char)
        code, self.at = escaped_character(self.text, self.at)
        return code

"""Read the statements of SQL that other statements put together and run: `EXECUTE 'DR' || 'OP TABLE t'`.

Sums of literals, and variables that the same text sets, are folded; what only the database knows stands as UNKNOWN in
the text. Imported by the hook path when a text for a database has such a statement.
"""

from __future__ import annotations

import re
from typing import NamedTuple

UNKNOWN = "\0"
WORDS = ("execute", "exec", "prepare", "gexec", "sp_executesql")
"""Words without which no text runs another."""
_TOKEN = re.compile(
    r"--[^\n]*|/\*(?!!).*?\*/"
    r"|(?P<literal>(?:\b[nebq])?'(?:[^']|'')*'|(?P<mark>\$\w*\$).*?(?P=mark)|\"[^\"]*\"|`[^`]*`)"
    r"|(?P<hex>\b0x[0-9a-f]+\b|\bx'[0-9a-f]*')|(?P<word>\\?[@:]*[\w#][\w.#]*)|(?P<sign>\|\||:=|\S)",
    re.DOTALL | re.IGNORECASE,
)
_STARTS = frozenset("; , declare begin then loop else set let select where and or if on do as call".split())
_NO_STATEMENTS = frozenset("on as function procedure block privilege privileges to from task".split())
_RUNNERS = frozenset("sp_executesql sp_sqlexec sp_prepexec dbms_sql.parse".split())
_ENDS = frozenset("; into using from where end loop then union".split())
_DECODES = re.compile(r"\b(?:\w*decode\w*|unhex|hextoraw|convert_from|from_base64|\w*decrypt\w*|\w*uncompress\w*"
                      r"|fromhex|unistr|utl_raw\.\w+)\s*\(", re.IGNORECASE)  # fmt: skip
_SAME = ("lower", "upper", "trim", "ltrim", "rtrim", "cast", "quote_ident", "quotename", "quote_literal")
_DEPTH = 3
_STEPS = 20_000  # words of expressions; what comes behind them is not known
_LONGEST = 65_536  # characters of a value
_NEAR = 60  # words between the beginning of a statement and a place in it
_NESTING = 40  # brackets in one another; what lies deeper is not known


class Computed(NamedTuple):
    """The texts that are run, and whether one of them is not known: as it has a part that only the database knows, or
    as it is decoded, which hides it."""

    texts: list[str]
    unknown: bool
    hidden: bool


class _Token(NamedTuple):
    kind: str
    text: str
    start: int


def computed(text: str, in_body: bool = False, depth: int = 0) -> Computed:
    """Return what a text for a database runs besides its own statements.

    Args:
        text: the statements.
        in_body: they stand in a block of code, where `EXECUTE name` runs what a variable holds.
        depth: how many texts it stands in.
    """
    lowered = text.lower()
    if depth > _DEPTH or not any(word in lowered for word in WORDS):
        return Computed([], False, False)
    reading = _Reading(text, in_body)
    reading.read()
    found = [value for value, _ in reading.run]
    found += reading.sums
    if reading.run:
        found += [value for values in reading.variables.values() for value in values if value.strip(UNKNOWN)]
    decoded = bool(reading.run) and _DECODES.search(text) is not None
    open_ = [value for value, defined in reading.run if _is_open(value) and (decoded or not defined)]
    result = Computed(found, bool(open_), bool(open_) and decoded)
    inner = [(body, True) for body in reading.bodies] + [(value, True) for value, _ in reading.run if value != text]
    for one in (computed(value, body, depth + 1) for value, body in inner):
        hidden = result.hidden or one.hidden
        unknown = result.unknown or (one.unknown and (hidden or not reading.defines))
        result = Computed(result.texts + one.texts, unknown, hidden)
    return result


def _is_open(text: str) -> bool:
    """Return whether it is not known with which word a statement of a text begins."""
    return any(
        UNKNOWN in part and not re.match(r"\(*\s*[a-z]+[\s(]", part.strip(), re.IGNORECASE) for part in text.split(";")
    )


class _Reading:
    """The state of one reading: what variables hold, and the texts that are run."""

    def __init__(self, text: str, in_body: bool) -> None:
        self.text, self.in_body = text, in_body
        self.tokens = [
            _Token(match.lastgroup if match.lastgroup != "mark" else "literal", match[0], match.start())
            for match in _TOKEN.finditer(text)
            if match.lastgroup
        ]
        self.variables: dict[str, list[str]] = {}
        self.run: list[tuple[str, bool]] = []
        self.sums: list[str] = []
        self.bodies: list[str] = []
        self.defines = False
        self.nested = self.steps = 0

    def word(self, place: int) -> str:
        """Return the word or the sign at a place in small letters, "" for a literal and behind the end."""
        token = self.tokens[place] if 0 <= place < len(self.tokens) else None
        return token.text.lower() if token and token.kind in ("word", "sign") else ""

    def read(self) -> None:
        """Take the text from its beginning to its end."""
        for place, token in enumerate(self.tokens):
            word = self.word(place)
            if word == "create":
                self.defines = True
            elif word in ("||", "+") and self._is_sum(place):
                self.sums.append(self.value(place - 1)[0])
            elif token.kind == "literal" and (token.text[0] == "$" or self.word(place - 1) == "do"):
                self.bodies.append(_plain(token))
            elif word in (":=", "=") or (word == "default" and self.in_body):
                self._assign(place)
            elif word == "into" and self.word(place + 1):
                start = self._back(place, ("select",))
                self._give(self.word(place + 1), self.value(start + 1)[0])
            elif word == "prepare":
                self._prepare(place)
            elif word in ("execute", "exec"):
                self._execute(place)
            elif word.rpartition("dbo.")[2].removeprefix("sys.") in _RUNNERS and self.word(place - 1) not in WORDS:
                self._take(place + 1)
            elif word == "\\gexec":
                self._rows(place)

    def _is_sum(self, place: int) -> bool:
        """Return whether the sign at a place begins a sum of literals, which a function may run."""
        kinds = [self.tokens[at].kind for at in range(max(0, place - 1), place + 2) if at < len(self.tokens)]
        return kinds == ["literal", "sign", "literal"] and self.word(place - 2) not in ("||", "+")

    def _back(self, place: int, words: tuple[str, ...] | frozenset[str]) -> int:
        """Return the nearest place before one where one of these words stands, -1 for none."""
        for at in range(place - 1, max(-1, place - _NEAR), -1):
            if self.word(at) in words:
                return at
        return -1

    def _assign(self, place: int) -> None:
        added = self.word(place - 1) == "+"
        name = self.word(self._back(place, _STARTS) + 1)
        value, _ = self.value(place + 1)
        self._give(name, (self.variables.get(name) or [""])[-1] + value if added else value)

    def _give(self, name: str, value: str) -> None:
        if name:
            self.variables.setdefault(name.lstrip(":"), []).append(value)

    def _prepare(self, place: int) -> None:
        if self.word(place + 1) == "transaction":
            return
        for at in range(place + 2, min(place + 12, len(self.tokens))):
            if self.word(at) == "from":
                self._take(at + 1)
            if self.word(at) in ("from", ";"):
                return
            if self.word(at) == "as":
                start = self.tokens[at].start + 2
                self.run.append((self.text[start:].partition(";")[0], self.defines))
                return

    def _execute(self, place: int) -> None:
        after = self.word(place + 1)
        token = self.tokens[place + 1] if place + 1 < len(self.tokens) else None
        if token is None or after in _NO_STATEMENTS or self.word(place - 1) in ("grant", "revoke", "explain", ","):
            return
        if after == "immediate" or after.rpartition(".")[2] in _RUNNERS:
            self._take(place + 2)
        elif token.kind in ("literal", "hex") or after == "(" or (self.in_body and token.kind == "word"):
            self._take(place + 1)

    def _take(self, place: int) -> None:
        """Enter the expression at a place as one that is run."""
        while self.word(place)[:1] == "@" and self.word(place + 1) == "=":
            place += 2
        self.run.append((self.value(place)[0], self.defines))

    def _rows(self, end: int) -> None:
        """Enter each column of the selection that ends at a place."""
        depth = 0
        for at in range(max(self._back(end, (";",)) + 1, end - _NEAR), end):
            depth += {"(": 1, ")": -1}.get(self.word(at), 0)
            while self.word(at) in ("select", ",") and not depth and at < end:
                value, at = self.value(at + 1)
                self.run.append((value, self.defines))

    def value(self, place: int) -> tuple[str, int]:
        """Return the text of an expression, with UNKNOWN for its parts that are not known, and where it ends."""
        parts: list[str] = []
        while place < len(self.tokens):
            token, word = self.tokens[place], self.word(place)
            self.steps += 1
            if self.steps > _STEPS:
                return UNKNOWN, len(self.tokens)
            if word in _ENDS or word in (",", ")") or word in _STATEMENTS:
                break
            if token.kind in ("literal", "hex"):
                parts.append(_plain(token))
            elif word == "(":
                value, place = self._arguments(place)
                parts.append(", ".join(value))
            elif token.kind == "word" and self.word(place + 1) == "(":
                given, place = self._arguments(place + 1)
                parts.append(_called(word, given))
            elif word.isdigit():
                parts.append(word)
            elif token.kind == "word" and word[:2] != "::":  # which names a type
                parts.append((self.variables.get(word.lstrip(":")) or [UNKNOWN])[-1])
            elif word not in ("||", "+", "@", ":"):
                parts.append(UNKNOWN)
            place += 1
        text = "".join(parts)
        return text if len(text) <= _LONGEST else UNKNOWN, place

    def _arguments(self, place: int) -> tuple[list[str], int]:
        """Return the values between brackets, and where they close."""
        given: list[str] = []
        place += 1
        self.nested += 1
        while self.nested < _NESTING and place < len(self.tokens):
            start = place
            value, place = self.value(place)
            given.append(value)
            if self.word(place) == ")":
                break
            place = max(place, start) + 1
        self.nested -= 1
        return given or [UNKNOWN], place


_STATEMENTS = frozenset("exec execute prepare set declare deallocate begin \\gexec go select".split())


def _plain(token: _Token) -> str:
    """Return what a literal stands for."""
    text = token.text
    if token.kind == "hex":
        digits = text[2:].rstrip("'")
        return bytes.fromhex(digits.zfill(len(digits) + len(digits) % 2)).decode("latin-1")
    if text[0] == "$":
        mark = text.index("$", 1) + 1
        return text[mark:-mark]
    quote = text[-1]
    inner = text[text.index(quote) + 1 : -1].replace(quote * 2, quote)
    if text[0] in "qQ":
        return inner[1:-1]
    if text[0] in "eE":
        inner = re.sub(r"\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{4})|([0-7]{1,3}))", _character, inner)
    return inner


def _character(found: re.Match[str]) -> str:
    return chr(int(found[3], 8) if found[3] else int(found[1] or found[2], 16))


def _called(name: str, given: list[str]) -> str:
    """Return the text that a function makes of texts, UNKNOWN for one that is not read."""
    if name in ("concat", "concat_ws"):
        return "".join(given) if name == "concat" else given[0].join(given[1:]) if given else ""
    if name in ("chr", "char", "nchar"):
        return "".join(
            chr(int(one)) if one.isdecimal() and len(one) < 7 and int(one) < 0x110000 else UNKNOWN for one in given
        )
    if name == "reverse" and given:
        return given[0][::-1]
    if name == "replace" and len(given) == 3 and UNKNOWN not in given[1]:
        return given[0].replace(given[1], given[2]) if given[1] else given[0]
    if name in _SAME and given:
        return given[0]
    if name in ("if", "iif", "ifnull", "coalesce", "nvl"):  # one of them, and nobody knows which
        return "; ".join(given[1:] if name in ("if", "iif") else given)
    if name == "format" and given:
        values = iter(given[1:])
        return re.sub(r"%(?:\d+\$)?[-\d]*[sIL]", lambda _: next(values, UNKNOWN), given[0])
    return UNKNOWN

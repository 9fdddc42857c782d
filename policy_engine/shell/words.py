"""Turn the pieces of a word into words: braces, tildes, fields and globs, with marks for what is unknown.

Marks are those of `model.partial`. The order is bash's: braces, tildes, expansions, fields, globs. Imported by the hook
path.
"""

from __future__ import annotations

from policy_engine.model.partial import GLOB, MANY, ONE, is_one_field
from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    # (kind, text): "char" an active character, "text" quoted text, "value" an unquoted expansion, "fields" `"$@"`
    Piece = tuple[str, "str | tuple[str, ...]"]

BRACE_WORDS = 256
_BRACE_NESTING = 30
_WORD_CHARS = 262_144
_BRACE_PIECES = 100_000  # of all words together
_DEFAULT_FIELDS = " \t\n"


def words_of(pieces: list[Piece], quoted: bool, tilde: Callable[[str], str], separators: str | None) -> list[str]:
    """The words of an argument; `separators` is IFS, None if it is not known. Raises Undecided for too many."""
    _need_bounded(pieces)
    fields: list[str] = []
    alternatives = _braces(pieces, 0)
    if len(alternatives) > 1 and ("char", "$") in pieces:
        raise Undecided("a `$` in braces may stand before another name")
    for alternative in alternatives:
        whole = _tildes(alternative, tilde, _value_start(alternative))
        fields += _fields(whole, separators, quoted and any(kind == "text" for kind, _ in alternative))
        if len(fields) > BRACE_WORDS * 4:
            raise Undecided("a word expands to too many words")
    return fields


def value_of(pieces: list[Piece], tilde: Callable[[str], str], assigns: bool = True) -> str:
    """The one text of an assigned value, a redirect's target or a here-string: no braces, no fields, no globs."""
    _need_bounded(pieces)
    joined = []
    for kind, text in _tildes(pieces, tilde, 0 if assigns else -1):
        if kind == "fields":
            joined.append(" ".join(text))
        else:
            assert isinstance(text, str)
            joined.append(text.replace(MANY, ONE) if kind == "value" else text)
    return "".join(joined)


def _need_bounded(pieces: list[Piece]) -> None:
    """Raises Undecided for a word that grows without bound through the variables in it."""
    if sum(sum(map(len, text)) if isinstance(text, tuple) else len(text) for _, text in pieces) > _WORD_CHARS:
        raise Undecided("a word is too long")


def _value_start(pieces: list[Piece]) -> int:
    """Return where the value begins in a word that reads as `NAME=value`; -1 for other words."""
    for place, (kind, text) in enumerate(pieces):
        if kind != "char" or not isinstance(text, str):
            return -1
        if text == "=":
            return place + 1 if place else -1
        if not (text.isascii() and (text.isalpha() or text == "_" or (place and text.isdigit()))):
            return -1
    return -1


# ---- braces ----------------------------------------------------------------------------------------------------------


def _braces(pieces: list[Piece], depth: int) -> list[list[Piece]]:
    if depth > _BRACE_NESTING or (not depth and pieces.count(("char", "{")) > BRACE_WORDS):
        raise Undecided("braces are nested too deeply")
    for place, piece in enumerate(pieces):
        if piece != ("char", "{"):
            continue
        close, commas = _matching(pieces, place)
        if close < 0:
            continue
        inner = pieces[place + 1 : close]
        if commas:
            cuts = [-1, *(comma - place - 1 for comma in commas), len(inner)]
            parts = [inner[left + 1 : right] for left, right in zip(cuts, cuts[1:], strict=False)]  # noqa: RUF007 - as in walk_command
            middles = [middle for part in parts for middle in _braces(part, depth + 1)]
        else:
            sequence = _sequence(inner)
            if sequence is None:
                _need_balanced(pieces[close + 1 :])
                continue
            middles = [[("text", text)] for text in sequence]
        tails = _braces(pieces[close + 1 :], depth + 1)
        if len(middles) * len(tails) > BRACE_WORDS or len(middles) * len(tails) * len(pieces) > _BRACE_PIECES:
            raise Undecided(f"braces expand to more than {BRACE_WORDS} words")
        return [pieces[:place] + middle + tail for middle in middles for tail in tails]
    return [pieces]


def _need_balanced(pieces: list[Piece]) -> None:
    """Raise Undecided if a pair without a comma may go on to a later brace, behind a comma: `{a},b}`."""
    depth = 0
    for piece in pieces:
        depth += (piece == ("char", "{")) - (piece == ("char", "}"))
        if depth <= 0 and piece == ("char", ","):
            raise Undecided("braces are read in two ways")


def _matching(pieces: list[Piece], start: int) -> tuple[int, list[int]]:
    """The offset of the closing brace and of the commas of this level; -1 if it is not closed."""
    depth = 0
    commas: list[int] = []
    for place in range(start, len(pieces)):
        kind, text = pieces[place]
        if kind != "char":
            continue
        if text == "{":
            depth += 1
        elif text == "}":
            depth -= 1
            if not depth:
                return place, commas
        elif text == "," and depth == 1:
            commas.append(place)
    return -1, []


def _sequence(inner: list[Piece]) -> list[str] | None:
    """`1..5`, `a..e`, `1..9..2`; None for other text."""
    if any(kind != "char" for kind, _ in inner):
        return None
    parts = "".join(str(text) for _, text in inner).split("..")
    if len(parts) not in (2, 3) or not all(parts):
        return None
    letters = all(len(part) == 1 and part.isascii() and part.isalpha() for part in parts[:2])
    numbers = [_number(part) for part in (parts[2:] if letters else parts)]
    if None in numbers:
        return None
    known = [number for number in numbers if number is not None]
    step = abs(known[-1]) if len(parts) == 3 else 1
    first, last = (ord(parts[0]), ord(parts[1])) if letters else (known[0], known[1])
    if abs(last - first) // (step or 1) >= BRACE_WORDS:
        raise Undecided(f"braces expand to more than {BRACE_WORDS} words")
    walk = range(first, last + 1, step or 1) if first <= last else range(first, last - 1, -(step or 1))
    if letters:
        return [chr(code) for code in walk]
    padded = [part for part in parts[:2] if part.lstrip("+-")[:1] == "0" and len(part.lstrip("+-")) > 1]
    width = max(len(part) for part in parts[:2]) if padded else 0
    return [f"{number:0{width}d}" for number in walk]


def _number(part: str) -> int | None:
    digits = part.removeprefix("-") if part[:1] == "-" else part.removeprefix("+")
    return int(part) if digits.isascii() and digits.isdigit() and len(digits) < 12 else None


# ---- tildes ----------------------------------------------------------------------------------------------------------


def _tildes(pieces: list[Piece], tilde: Callable[[str], str], value_start: int) -> list[Piece]:
    """Replace `~…` at the start of the word, and in a value after its start and each colon."""
    starts = {0}
    if value_start >= 0:
        starts.add(value_start)
        starts |= {place + 1 for place in range(value_start, len(pieces)) if pieces[place] == ("char", ":")}
    expanded: list[Piece] = []
    place = 0
    while place < len(pieces):
        if place in starts and pieces[place] == ("char", "~"):
            end = place + 1
            while end < len(pieces) and pieces[end][0] == "char" and pieces[end][1] not in ("/", ":"):
                end += 1
            plain = end == len(pieces) or pieces[end][0] == "char"
            if plain and (end == len(pieces) or pieces[end][1] == "/" or value_start >= 0):
                name = "".join(str(text) for _, text in pieces[place + 1 : end])
                expanded.append(("text", tilde(name)))
                place = end
                continue
        expanded.append(pieces[place])
        place += 1
    return expanded


# ---- fields and globs ------------------------------------------------------------------------------------------------


class _Fields:
    """Words while they are put together."""

    def __init__(self, separators: str | None) -> None:
        self.separators = separators
        self.words: list[str] = []
        self.current: list[str] | None = None
        self.globbed = False

    def add(self, text: str) -> None:
        if self.current is None:
            self.current = []
        self.current.append(text)

    def end(self) -> None:
        if self.current is not None:
            self.words.append("".join(self.current))
        self.current, self.globbed = None, False

    def active(self, char: str, closed: bool) -> None:
        """One character that may be a glob's; `closed`: a `]` follows in the word."""
        if not self.globbed and (char in "*?" or (char == "[" and closed)):
            self.add(GLOB)
            self.globbed = True
        self.add(char)

    def split(self, value: str, closed: bool) -> None:
        """The value of an expansion outside quotes."""
        if GLOB in value and ONE not in value and MANY not in value:
            self.add(value)  # the names that a pattern stands for, one after the other
            self.globbed = True
            return
        if "\0" in value and self.separators == _DEFAULT_FIELDS and is_one_field(value) and _plain(value):
            self.add(value)
            return
        if "\0" in value or self.separators is None:
            self.add(MANY if value or self.separators is None else "")
            return
        last = value.rfind("]")
        for place, char in enumerate(value):
            if char in self.separators:
                if char not in _DEFAULT_FIELDS and self.current is None:
                    self.words.append("")
                self.end()
            else:
                self.active(char, closed or place < last)


def _plain(value: str) -> bool:
    """Return whether nothing in the value is divided or looked for."""
    return frozenset(" \t\n*?[").isdisjoint(value)


def _fields(pieces: list[Piece], separators: str | None, quoted: bool) -> list[str]:
    fields = _Fields(separators)
    last = max((place for place, (kind, text) in enumerate(pieces) if kind != "text" and "]" in text), default=-1)
    for place, (kind, text) in enumerate(pieces):
        if isinstance(text, tuple):
            for number, item in enumerate(text):
                if number:
                    fields.end()
                fields.add(item)
        elif kind == "text":
            fields.add(text)
        else:
            if kind == "char":
                fields.active(text, place < last)
            else:
                fields.split(text, place < last)
    fields.end()
    if fields.words == [""] and any(kind == "fields" and not text for kind, text in pieces):
        return []  # `"$@"` of no words is no word
    if not fields.words and quoted and not any(kind == "fields" for kind, _ in pieces):
        return [""]
    return fields.words

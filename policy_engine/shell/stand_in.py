"""A script's source → the bytes that the grammar is given: as many, with what it is known to misread replaced.

Only the tree comes from these bytes, words and operators are read from the source. The replacements are guesses by
shape: what they claim (a keyword before a compound command, the text of a here-document) is held against the tree, and
a claim that the tree does not bear out is never read as anything. Imported by the hook path.
"""

from __future__ import annotations

_BLANKS = b" \t"
_BEFORE = b"\n;&|({`)"
_COMPOUNDS = (b"{", b"(", b"[[", b"if", b"for", b"while", b"until", b"case", b"select")
_GOES_ON = (b"then", b"do", b"else", b"elif", b"if", b"while", b"until", b"time", b"!", b"{", b"coproc")
_PREFIXES = (b"!", b"time", b"coproc")
_MOST_PREFIXES = 8
_MOST_CANDIDATES = 2000
_MOST_TEXTS = 64
# to one letter, or to another where the first would make the delimiter
_BLOTS = tuple(bytes(10 if byte == 10 else blot for byte in range(256)) for blot in b"xy")
_NAME = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"


class StandIn:
    """`source` for the grammar; `prefixes` where a compound command begins → where the keywords before it do; `texts`
    the first bytes of here-documents that were blotted out."""

    __slots__ = ("source", "prefixes", "texts")

    def __init__(self, source: bytes, blot: bool) -> None:
        made = bytearray(source.replace(b"<>", b">|").replace(b" - <<", b" _ <<"))
        _escaped_blanks(source, made)
        self.prefixes = _prefixes(source, made)
        _selects(source, made)
        self.texts = _texts(source, made) if blot else []
        self.source = bytes(made)


def second_try(source: bytes) -> bytes:
    """Where a command starts, the grammar takes a brace for a group, and stops at `#`, `@`, `%`, `+` within a word."""
    made = bytearray(source)
    if not any(byte in source for byte in b"([{"):  # no arithmetic, no subscripts, no expansions
        made = made.replace(b"@", b"_").replace(b"%", b"_").replace(b"+:", b"_:")
    for place in range(len(source)):
        before = source[place - 1 : place]
        if (source[place] == 0x7B and source[place + 1 : place + 2] not in b" \t\n};" and before != b"$") or (
            source[place] == 0x23 and place and before not in b" \t\n;&|(){$`<>"
        ):
            made[place] = 0x5F
    return bytes(made)


def _escaped_blanks(source: bytes, made: bytearray) -> None:
    """A blank after a backslash gets lost."""
    place = 0
    if b"\\ " not in source and b"\\\t" not in source:
        return
    while (place := source.find(b"\\", place)) >= 0:
        if source[place + 1 : place + 2] in (b" ", b"\t"):
            made[place + 1] = 0x5F
        place += 2


# ---- keywords before compound commands: the grammar takes `time {` and `! {` for programs ----------------------------


def _prefixes(source: bytes, made: bytearray) -> dict[int, int]:
    found: dict[int, int] = {}
    if sum(map(source.count, _PREFIXES)) > _MOST_CANDIDATES:
        return found
    for word in _PREFIXES:
        place = source.find(word)
        while place >= 0:
            end = place + len(word)
            if source[end : end + 1] in (b" ", b"\t") and _starts_command(source, place):
                compound = _compound_behind(source, word, end)
                if compound >= 0:
                    found[compound] = min(place, found.get(compound, place))
            place = source.find(word, end)
    for compound, place in found.items():
        made[place:compound] = b" " * (compound - place)
    return found


def _starts_command(source: bytes, place: int) -> bool:
    end = place
    while end and source[end - 1] in _BLANKS:
        end -= 1
    if not end or source[end - 1] in _BEFORE:
        return True
    word = source[max(0, end - 7) : end].replace(b"\n", b" ").replace(b";", b" ").split(b" ")[-1]
    return end < place and word in _GOES_ON


def _compound_behind(source: bytes, word: bytes, place: int) -> int:
    """Where the compound command begins that the keyword stands before; -1 if there is none."""
    named = False
    for _ in range(_MOST_PREFIXES):
        while source[place : place + 1] in (b" ", b"\t"):
            place += 1
        end = place
        while end < len(source) and source[end] in _NAME:
            end += 1
        text = source[place:end] or source[place : place + (2 if source[place : place + 2] == b"[[" else 1)]
        after = source[place + len(text) : place + len(text) + 1]
        if text in _COMPOUNDS and (text == b"(" or after in (b" ", b"\t", b"\n", b"(")):
            return place if word != b"!" or text not in (b"(", b"[[") or named else -1
        if text in (b"!", b"time", b"-p", b"--") and word != b"coproc":
            named = named or text == b"time"
        elif word == b"coproc" and not named and end > place and text not in _GOES_ON:
            named = True
        else:
            return -1
        place += len(text)
    return -1


def _selects(source: bytes, made: bytearray) -> None:
    """A line break before the `do` of a `select` is not known to the grammar."""
    place = source.find(b"select ")
    while place >= 0:
        end = source.find(b"\n", place)
        if end < 0:
            return
        if b";" not in source[place:end] and source[end + 1 : end + 20].lstrip(_BLANKS).startswith(b"do"):
            made[end] = 0x3B
        place = source.find(b"select ", end)


# ---- here-documents: what stands in them may end them too early ------------------------------------------------------


def _texts(source: bytes, made: bytearray) -> list[int]:
    """Blot out the texts in which nothing is expanded; where they begin."""
    found: list[int] = []
    place = source.find(b"<<")
    if source.count(b"<<") > _MOST_TEXTS:
        return found
    while place >= 0:
        end = place + 2
        if source[end : end + 1] != b"<" and source[place - 1 : place] != b"<":
            text = _text(source, end)
            if text is not None:
                first, end, delimiter = text
                if end > first:
                    made[first:end] = source[first:end].translate(_BLOTS[delimiter.strip(b"x") == b""])
                    found.append(first)
        elif source[end : end + 1] == b"<":
            end += 1
        place = source.find(b"<<", end)
    return found


def _text(source: bytes, place: int) -> tuple[int, int, bytes] | None:
    """Where the text begins and ends of the here-document whose delimiter stands at `place`, and the delimiter."""
    tabs = source[place : place + 1] == b"-"
    place += tabs
    while source[place : place + 1] in (b" ", b"\t"):
        place += 1
    end = place
    while end < len(source) and (source[end] in _NAME or source[end] in b"'\"\\"):
        end += 1
    word = source[place:end]
    delimiter = word.strip(b"'\"\\")
    first = source.find(b"\n", end) + 1
    if not delimiter or not first:
        return None
    place = first
    while True:
        stop = source.find(b"\n", place)
        line = source[place : stop if stop >= 0 else len(source)]
        if (line.lstrip(b"\t") if tabs else line) == delimiter:
            break
        if stop < 0:
            return None
        place = stop + 1
    body = source[first:place]
    if delimiter == word and (b"$" in body or b"`" in body or b"\\" in body):
        return None
    return first, place, delimiter

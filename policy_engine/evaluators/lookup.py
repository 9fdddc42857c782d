"""Look a text or path up in an index table: the pure-Python half of the index, for a process of one event.

`TextScanner` finds which literals of a table occur in a text. A long-lived engine replaces it by Aho–Corasick
(runtime/scanner.py); both give the same answer.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.filesystem.paths import PathValue

GRAM = 4


def folders(table: dict[str, tuple[int, ...]], paths: Iterable[PathValue], filesystem: FileSystem) -> list[int]:
    """Rules filed under a folder that holds one of the paths, or under the path itself."""
    if filesystem.folds_case:
        return [number for numbers in table.values() for number in numbers]
    hits: list[int] = []
    for path in paths:
        relative = filesystem.relative(path)
        for place in (relative, path.real):
            if place is None:
                continue
            at = len(place)
            while at > 0:
                hits.extend(table.get(place[:at], ()))
                at = place.rfind("/", 0, at)
            hits.extend(table.get("/", ()) if place.startswith("/") else ())
        if path.recursive:
            hits.extend(number for numbers in table.values() for number in numbers)
    return hits


def grams(table: dict[str, tuple[int, ...]]) -> tuple[dict[str, list[str]], list[str]]:
    """Return a table's literals by their least shared piece of four characters, and those that are shorter."""
    shared: dict[str, int] = {}
    for literal in table:
        for at in range(len(literal) - GRAM + 1):
            piece = literal[at : at + GRAM]
            shared[piece] = shared.get(piece, 0) + 1
    by_piece: dict[str, list[str]] = {}
    short: list[str] = []
    for literal in table:
        pieces = [literal[at : at + GRAM] for at in range(len(literal) - GRAM + 1)]
        if pieces:
            by_piece.setdefault(min(pieces, key=shared.__getitem__), []).append(literal)
        else:
            short.append(literal)
    return by_piece, short


def scan_text(
    pieces: dict[str, list[str]], short: list[str], table: dict[str, tuple[int, ...]], text: str
) -> list[int]:
    """Rules whose literal occurs in the text."""
    hits: list[int] = []
    for literal in short:
        if literal in text:
            hits.extend(table[literal])
    for piece in pieces.keys() & {text[at : at + GRAM] for at in range(len(text) - GRAM + 1)}:
        for literal in pieces[piece]:
            if literal in text:
                hits.extend(table[literal])
    return hits


def bisect_left(values: tuple[Any, ...], value: Any) -> int:
    """Return the first place in sorted `values` at which `value` could stand."""
    low, high = 0, len(values)
    while low < high:
        middle = (low + high) // 2
        if values[middle] < value:
            low = middle + 1
        else:
            high = middle
    return low


def bisect_right(values: tuple[Any, ...], value: Any) -> int:
    """Return the last such place."""
    low, high = 0, len(values)
    while low < high:
        middle = (low + high) // 2
        if value < values[middle]:
            high = middle
        else:
            low = middle + 1
    return low

"""Build an Aho–Corasick automaton of a bucket's literals: the text scanner of a process that decides many events.

One pass over the text whatever the number of literals; pyahocorasick is C and costs about a microsecond per 200
characters. A process of one event asks for each literal instead (runtime/names.py), since nothing is built there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Table = dict[str, tuple[int, ...]]
FEW = 16  # literals below which asking for each is quicker


def automaton_scanner(table: Table) -> Callable[[str], list[int]]:
    """As `PlainScanner`: a function from text to the numbers of the rules whose literal occurs in it."""
    if len(table) <= FEW:
        pairs = tuple(table.items())
        return lambda text: [number for literal, numbers in pairs if literal in text for number in numbers]
    occurrences = _build(table).iter

    def scan(text: str) -> list[int]:
        hits: list[int] = []
        for _, numbers in occurrences(text):
            hits += numbers
        return hits

    return scan


def _build(table: Table) -> Any:
    import ahocorasick

    automaton = ahocorasick.Automaton()
    for literal, numbers in table.items():
        automaton.add_word(literal, numbers)
    automaton.make_automaton()
    return automaton

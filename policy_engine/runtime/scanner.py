"""A bucket's literals → an Aho–Corasick automaton: the text scanner of a process that decides many events.

One pass over the text whatever the number of literals; pyahocorasick is C and costs about a microsecond per 200
characters. A process of one event uses the pieces of evaluators/lookup.py instead, since nothing is built there.
"""

from __future__ import annotations

from typing import Any

from policy_engine.evaluators import lookup

FEW = 4  # literals below which asking for each is quicker


class AutomatonScanner:
    """As `GramScanner`: (group, table, text) → rule numbers whose literal occurs in the text."""

    __slots__ = ("_automata",)

    def __init__(self) -> None:
        self._automata: dict[int, Any] = {}

    def __call__(self, group: int, table: dict[str, tuple[int, ...]], text: str) -> list[int]:
        if len(table) <= FEW:
            return lookup.scan_text({}, list(table), table, text)
        automaton = self._automata.get(group)
        if automaton is None:
            automaton = self._automata[group] = _build(table)
        hits: list[int] = []
        for _, numbers in automaton.iter(text):
            hits += numbers
        return hits


def _build(table: dict[str, tuple[int, ...]]) -> Any:
    import ahocorasick

    automaton = ahocorasick.Automaton()
    for literal, numbers in table.items():
        automaton.add_word(literal, numbers)
    automaton.make_automaton()
    return automaton

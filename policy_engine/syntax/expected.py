"""Name the words and signs that could come next in a state of the parser, as a person would."""

from __future__ import annotations

from policy_engine.syntax.driver import Machine
from policy_engine.syntax.tokens import END, ITEMS, Scanner

VALUES = {
    "STRING": "a string in double quotes",
    "INT": "a number",
    "DURATION": "a duration such as `10m`",
    "DATE": "a date such as `2026-12-31`",
    "MOMENT": "a time such as `2026-12-31T18:00Z`",
    "NAME": "a name",
    "REGEX": "a regular expression",
    "TYPE": "a type such as `Command`",
}
COMPARISONS = frozenset(
    "EQUAL UNEQUAL BELOW AT_MOST ABOVE AT_LEAST IN CONTAINS STARTS_WITH ENDS_WITH MATCHES UNDER INSIDE OUTSIDE"
    " SINCE".split()
)
_CONTINUING = COMPARISONS | {"AND", "OR", "NOT", "ELSE", "EXCEPT", "DOT", "LPAR", "LSQB"}
_BEGINNING = frozenset(
    "NAME STRING INT DURATION DATE MOMENT REGEX LPAR LSQB TRUE FALSE NOT HAS ANY EVERY COUNT".split()
)
SHOWN = 12


class Expected:
    """Made once from the scanner, which knows how terminals are written."""

    def __init__(self, scanner: Scanner) -> None:
        self._words = scanner.words
        self._signs = scanner.signs
        self._kinds = [*scanner.words, *VALUES, *scanner.signs, END]

    def kinds(self, machine: Machine) -> set[str]:
        """Return every terminal that could be read next; keywords count only as keywords."""
        return {kind for kind in self._kinds if machine.accepts([kind], strict=True)}

    def keywords(self, machine: Machine) -> dict[str, str]:
        """Return every keyword that could be read next, with its terminal."""
        return {self._words[kind]: kind for kind in self.kinds(machine) if kind in self._words}

    def shown(self, machine: Machine) -> list[str]:
        """Return what could come next, for a help line."""
        kinds = self.kinds(machine)
        texts = []
        if {"NAME", "LPAR"} <= kinds:
            texts.append("an expression")
            kinds -= _BEGINNING
        elif "AND" in kinds:
            texts.append("an operator")
            kinds -= _CONTINUING
        texts += [text for kind, text in VALUES.items() if kind in kinds]
        texts += [f"`{self._signs[kind]}`" for kind in sorted(kinds) if kind in self._signs]
        words = sorted(self._words[kind] for kind in kinds if kind in self._words)
        if len(words) > SHOWN and set(words) >= ITEMS:
            words = sorted(ITEMS)
        texts += [f"`{word}`" for word in words]
        return texts[:SHOWN] + (["…"] if len(texts) > SHOWN else [])

    def text(self, kind: str) -> str:
        """Return a terminal as it is written, or what it stands for."""
        sign = self._signs.get(kind) or self._words.get(kind)
        return f"`{sign}`" if sign else VALUES.get(kind, "more")

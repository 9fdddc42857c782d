"""Find the shortest text that some of several regular languages accept and others do not, or that there is none.

An automaton's free moves may carry a condition on their place in the text (start, end, line, word boundary), so that
regexes are decided exactly as RE2 reads them. The search walks the product of the automata, made deterministic on the
way; one that grows over STATES, or takes more than WORK steps, is given up.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence

ALWAYS, TEXT_START, TEXT_END, LINE_START, LINE_END, BOUNDARY, NO_BOUNDARY = range(7)
STATES = 4000
WORK = 200_000  # states stepped from, about a fifth of a second
_START, _NEWLINE, _WORD, _OTHER, _END = "start", "newline", "word", "other", "end"

Ranges = tuple[tuple[int, int], ...]
LAST = 0x10FFFF
WORD: Ranges = ((48, 57), (65, 90), (95, 95), (97, 122))
_SURROGATES = (0xD800, 0xDFFF)
_NICE = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./ "


class TooHard(Exception):
    """The question needs too many states or steps, or a construct that is not modelled; nothing is said."""


class Automaton:
    """States are numbers, 0 the first; `moves[s]` are (characters, target), `free[s]` (condition, target)."""

    __slots__ = ("_known", "final", "free", "moves")

    def __init__(self) -> None:
        self.moves: list[list[tuple[Ranges, int]]] = []
        self.free: list[list[tuple[int, int]]] = []
        self.final = 0
        self._known: dict[tuple[frozenset[int], str, str], frozenset[int]] = {}
        self.state()

    def state(self) -> int:
        """Return a new state."""
        if len(self.moves) > STATES:
            raise TooHard
        self.moves.append([])
        self.free.append([])
        return len(self.moves) - 1

    def move(self, start: int, characters: Ranges, target: int) -> None:
        if characters:
            self.moves[start].append((characters, target))

    def jump(self, start: int, target: int, condition: int = ALWAYS) -> None:
        self.free[start].append((condition, target))

    def closure(self, states: Iterable[int], before: str, after: str) -> set[int]:
        """Return all states that free moves reach between a character (or the start) and the next (or the end)."""
        reached = set(states)
        waiting = list(reached)
        while waiting:
            for condition, target in self.free[waiting.pop()]:
                if target not in reached and _holds(condition, before, after):
                    reached.add(target)
                    waiting.append(target)
        return reached

    def step(self, states: frozenset[int], before: str, char: str) -> frozenset[int]:
        """Return the states after one more character; remembered, since a search comes here often."""
        asked = (states, before, char)
        after = self._known.get(asked)
        if after is None:
            if len(self._known) > STATES:
                self._known.clear()
            after = self._known[asked] = self._step(states, before, char)
        return after

    def _step(self, states: frozenset[int], before: str, char: str) -> frozenset[int]:
        code = ord(char)
        reached = set()
        for state in self.closure(states, before, _sort(char)):
            for ranges, target in self.moves[state]:
                if target not in reached and any(low <= code <= high for low, high in ranges):
                    reached.add(target)
        return frozenset(reached)

    def accepts(self, states: frozenset[int], before: str) -> bool:
        return self.final in self.closure(states, before, _END)


def _sort(char: str) -> str:
    if char == "\n":
        return _NEWLINE
    return _WORD if char == "_" or (char.isascii() and char.isalnum()) else _OTHER


def _holds(condition: int, before: str, after: str) -> bool:
    match condition:
        case 0:
            return True
        case 1:
            return before == _START
        case 2:
            return after == _END
        case 3:
            return before in (_START, _NEWLINE)
        case 4:
            return after in (_END, _NEWLINE)
        case _:
            return ((before == _WORD) != (after == _WORD)) is (condition == BOUNDARY)


def inverted(ranges: Ranges) -> Ranges:
    """Return every other character."""
    outside = []
    start = 0
    for low, high in sorted(ranges):
        if low > start:
            outside.append((start, low - 1))
        start = max(start, high + 1)
    if start <= LAST:
        outside.append((start, LAST))
    return tuple(outside)


def find(automata: Sequence[Automaton], wanted: Callable[[tuple[bool, ...]], bool]) -> str | None:
    """Return the shortest text whose acceptance by each automaton is wanted; None if there is none. Raises TooHard."""
    letters = _letters(automata)
    first = (tuple(frozenset((0,)) for _ in automata), _START)
    seen = {first}
    work = WORK
    queue: deque[tuple[tuple[tuple[frozenset[int], ...], str], str]] = deque([(first, "")])
    while queue:
        (states, before), text = queue.popleft()
        if wanted(tuple(one.accepts(at, before) for one, at in zip(automata, states, strict=True))):
            return text
        work -= len(letters) * sum(1 + len(at) for at in states)
        if work < 0:
            raise TooHard
        for char in letters:
            after = tuple(one.step(at, before, char) for one, at in zip(automata, states, strict=True))
            reached = (after, _sort(char))
            if reached not in seen:
                if len(seen) >= STATES:
                    raise TooHard
                seen.add(reached)
                queue.append((reached, text + char))
    return None


def _letters(automata: Sequence[Automaton]) -> list[str]:
    """One character for every set of characters that no automaton tells apart, the most readable first."""
    sets = list(dict.fromkeys(ranges for one in automata for moves in one.moves for ranges, _ in moves))
    edges = {0, 10, 11, *_SURROGATES, _SURROGATES[1] + 1}
    for low, high in (*WORD, *(part for ranges in sets for part in ranges)):
        edges.update((low, high + 1))
    if len(edges) * len(sets) > 200_000:
        raise TooHard
    letters: dict[tuple[object, ...], str] = {}
    starts = sorted(edge for edge in edges if edge <= LAST)
    for code in [*(ord(char) for char in _NICE), *starts]:
        if _SURROGATES[0] <= code <= _SURROGATES[1]:
            continue
        char = chr(code)
        inside = tuple(any(low <= code <= high for low, high in ranges) for ranges in sets)
        letters.setdefault((_sort(char), *inside), char)
    return list(letters.values())

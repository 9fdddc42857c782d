"""Tell whether a sequence of tokens, some of which stand for any number of words, certainly covers another."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

Covers = Callable[[str, str], bool]


def within(narrow: Sequence[str], wide: Sequence[str], many: Collection[str], one: Covers, absorbs: Covers) -> bool:
    """Return whether every sequence of words that `narrow` describes is described by `wide`.

    Tokens in `many` stand for any number of words, none included. `one(token, word)`: a token of `wide` covers every
    single word that a token of `narrow` stands for; `absorbs(token, word)`: the same for a token in `many`.
    """

    def skip(states: set[int]) -> frozenset[int]:
        reached = set(states)
        for state in states:
            at = state
            while at < len(wide) and wide[at] in many:
                at += 1
                reached.add(at)
        return frozenset(reached)

    def after(word: str, states: frozenset[int]) -> frozenset[int]:
        reached = set()
        for state in states:
            if state < len(wide) and wide[state] in many:
                if absorbs(wide[state], word):
                    reached.add(state)
            elif state < len(wide) and one(wide[state], word):
                reached.add(state + 1)
        return skip(reached)

    start = (0, skip({0}))
    seen = {start}
    waiting = [start]
    while waiting:
        at, states = waiting.pop()
        if not states:
            return False
        if at == len(narrow):
            if len(wide) not in states:
                return False
            continue
        reached = [(at + 1, states), (at, after(narrow[at], states))]
        for following in reached if narrow[at] in many else [(at + 1, reached[1][1])]:
            if following not in seen:
                seen.add(following)
                waiting.append(following)
    return True

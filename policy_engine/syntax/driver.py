"""Drive the grammar's LALR(1) tables over tokens to the value that the transformer makes.

Lark builds the tables; this loop runs them, because it can do what Lark's own loop cannot: repair a mistake and read
on, take a keyword for a name where the grammar wants one, refuse deep nesting, and skip the chains of rules that only
pass a value on. One action is a few dictionary look-ups; nothing here recurses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

from policy_engine.model.limits import POLICY_DEPTH
from policy_engine.model.source import Source, Span
from policy_engine.syntax.context import Context
from policy_engine.syntax.tokens import END, Scan, Token

Build = Callable[[Context, Sequence[Any], Span], object]
NESTING = frozenset({"LPAR", "LSQB", "LBRACE", "NOT", "ANY", "EVERY", "COUNT"})


class Production(NamedTuple):
    """A grammar rule: how many symbols it takes, what it makes, and from which of their values.

    `build` is None if the value of the symbol at `only` is passed on. `pick` makes the list of values that `build`
    takes, or is None if it takes them all. `last` cuts the values of the symbols off a stack.
    """

    size: int
    origin: str
    build: Build | None
    pick: Callable[[list[Any]], Sequence[Any]] | None
    only: int
    last: slice


class Tables(NamedTuple):
    """`actions[state][kind]` is the next state (0 or more: shift) or the complement of a production (reduce).

    `leaps[state]` remembers what `Machine._leap` found: most reductions only climb from an atom to where it is used.
    """

    actions: list[dict[str, int]]
    gotos: list[dict[str, int]]
    leaps: list[dict[tuple[str, str], tuple[int, int | None]]]
    productions: list[Production]
    starts: dict[str, int]
    ends: dict[str, int]
    soft: frozenset[str]


class Recovery(Protocol):
    """Repairs a mistake: changes the machine's stacks, tokens or index so that reading goes on."""

    def repair(self, machine: Machine) -> None: ...

    def too_deep(self, machine: Machine) -> None: ...


class Machine:
    """One run over one text. `values[k]` belongs to `states[k + 1]` and begins at offset `begins[k]`."""

    def __init__(self, tables: Tables, source: Source, scan: Scan, start: str) -> None:
        self.tables = tables
        self.source = source
        self.context = Context(source, scan.diagnostics)
        self.scan = scan
        self.tokens = scan.tokens
        self.start = start
        self.states = [tables.starts[start]]
        self.values: list[Any] = []
        self.begins: list[int] = []
        self.index = 0
        self.end_state = tables.ends[start]

    def run(self, recovery: Recovery) -> object:
        """Return the value of the start rule; mistakes go to `recovery`."""
        actions, soft = self.tables.actions, self.tables.soft
        states, values, begins, tokens = self.states, self.values, self.begins, self.tokens
        end = index = 0
        while True:
            token = tokens[index]
            kind = token[0]
            action = actions[states[-1]].get(kind)
            if action is not None and action < 0:
                action = self._reduce(action, kind, token[2], end)
            if action is None:
                if kind in soft and "NAME" in actions[states[-1]]:
                    tokens[index] = token._replace(kind="NAME")
                elif kind == END and states[-1] == self.end_state and len(states) == 2:
                    return values[0]
                else:
                    self.index = index
                    recovery.repair(self)
                    index = self.index
                continue
            states.append(action)
            values.append(token)
            begins.append(token[2])
            end = token[3]
            index += 1
            if len(states) > POLICY_DEPTH and kind in NESTING and self._depth() > POLICY_DEPTH:
                self.index = index
                recovery.too_deep(self)
                index = self.index

    def _reduce(self, action: int | None, kind: str, here: int, end: int) -> int | None:
        """Apply productions while `kind` asks for them; the action that it asks for then, if any.

        `here` is where that token begins, `end` where the one before it ended.
        """
        productions, leaps = self.tables.productions, self.tables.leaps
        states, values, begins, context = self.states, self.values, self.begins, self.context
        make = tuple.__new__
        while action is not None and action < 0:
            size, origin, build, pick, only, last = productions[~action]
            if size == 1:
                below = states[-2]
                if build is not None:
                    children = values[last]
                    place = make(Span, (begins[-1], end))
                    values[-1] = build(context, children if pick is None else pick(children), place)
            else:
                if size:
                    children = values[last]
                    begin = begins[-size]
                    place = make(Span, (begin, end))
                    del states[last], values[last], begins[last]
                else:
                    children = []
                    begin = here
                    place = make(Span, (here, here))
                begins.append(begin)
                if build is None:
                    values.append(children[only])
                else:
                    values.append(build(context, children if pick is None else pick(children), place))
                below = states[-1]
                states.append(below)
            try:
                states[-1], action = leaps[below][origin, kind]
            except KeyError:
                states[-1], action = leaps[below][origin, kind] = self._leap(below, origin, kind)
        return action

    def _leap(self, below: int, origin: str, kind: str) -> tuple[int, int | None]:
        """Return the state after `origin` and the rules that only pass it on, with the action for `kind` there."""
        actions, productions = self.tables.actions, self.tables.productions
        row = self.tables.gotos[below]
        state = row[origin]
        action = actions[state].get(kind)
        while action is not None and action < 0:
            production = productions[~action]
            if production.size != 1 or production.build is not None:
                break
            state = row[production.origin]
            action = actions[state].get(kind)
        return state, action

    def _depth(self) -> int:
        return sum(1 for value in self.values if type(value) is Token and value.kind in NESTING)

    def accepts(self, kinds: Sequence[str], states: list[int] | None = None, strict: bool = False) -> int:
        """Return how many of `kinds` could be read from here, or from another stack of states; END counts as the rest.

        `strict`: a keyword is not taken for a name.
        """
        stack = list(self.states if states is None else states)
        for count, kind in enumerate(kinds):
            if not self._accept(stack, kind, strict):
                return count
            if kind == END:
                return len(kinds)
        return len(kinds)

    def _accept(self, stack: list[int], kind: str, strict: bool) -> bool:
        actions, gotos, productions = self.tables.actions, self.tables.gotos, self.tables.productions
        action = actions[stack[-1]].get(kind)
        while action is not None and action < 0:
            size, origin = productions[~action][:2]
            if size:
                del stack[-size:]
            stack.append(gotos[stack[-1]][origin])
            action = actions[stack[-1]].get(kind)
        if kind == END:
            return stack[-1] == self.end_state and len(stack) == 2
        if action is None and kind in self.tables.soft and not strict:
            action = actions[stack[-1]].get("NAME")
        if action is None or action < 0:
            return False
        stack.append(action)
        return True

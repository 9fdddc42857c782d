"""Tokens and the grammar's LALR(1) tables → the value that the transformer makes.

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
    takes, or is None if it takes them all.
    """

    size: int
    origin: str
    build: Build | None
    pick: Callable[[list[Any]], Sequence[Any]] | None
    only: int


class Tables(NamedTuple):
    """`actions[state][kind]` is the next state (0 or more: shift) or the complement of a production (reduce)."""

    actions: list[dict[str, int]]
    gotos: list[dict[str, int]]
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
        self.states = [tables.starts[start]]
        self.values: list[Any] = []
        self.begins: list[int] = []
        self.index = 0
        self.end_state = tables.ends[start]

    def run(self, recovery: Recovery) -> object:
        """The value of the start rule; mistakes go to `recovery`."""
        actions = self.tables.actions
        states, values, begins = self.states, self.values, self.begins
        tokens = self.tokens
        soft = self.tables.soft
        reduce = self._reduce
        while True:
            token = tokens[self.index]
            kind = token[0]
            action = actions[states[-1]].get(kind)
            while action is not None and action < 0:
                action = reduce(~action, kind, token[2])
            if kind == END and states[-1] == self.end_state and len(states) == 2:
                return values[0]
            if action is None:
                if kind in soft and "NAME" in actions[states[-1]]:
                    tokens[self.index] = token._replace(kind="NAME")
                else:
                    recovery.repair(self)
                continue
            states.append(action)
            values.append(token)
            begins.append(token[2])
            self.index += 1
            if len(states) > POLICY_DEPTH and kind in NESTING and self._depth() > POLICY_DEPTH:
                recovery.too_deep(self)

    def _reduce(self, number: int, kind: str, here: int) -> int | None:
        """Apply a production and all that only pass its value on; the action that `kind` then asks for."""
        actions, gotos, productions = self.tables.actions, self.tables.gotos, self.tables.productions
        states, values, begins = self.states, self.values, self.begins
        size, origin, build, pick, only = productions[number]
        if size == 1:
            states.pop()
            children = [values.pop()]
            begin = begins.pop()
        elif size:
            children = values[-size:]
            begin = begins[-size]
            del states[-size:], values[-size:], begins[-size:]
        else:
            children = []
            begin = here
        if build is None:
            value = children[only]
        else:
            end = self.tokens[self.index - 1][3] if size else here
            value = build(self.context, children if pick is None else pick(children), Span(begin, end))
        below = gotos[states[-1]]
        state = below[origin]
        action = actions[state].get(kind)
        while action is not None and action < 0:
            size, origin, build, pick, only = productions[~action]
            if size != 1 or build is not None:
                break
            state = below[origin]
            action = actions[state].get(kind)
        states.append(state)
        values.append(value)
        begins.append(begin)
        return action

    def _depth(self) -> int:
        return sum(1 for value in self.values if type(value) is Token and value.kind in NESTING)

    def accepts(self, kinds: Sequence[str], states: list[int] | None = None, strict: bool = False) -> int:
        """How many of `kinds` could be read from here, or from another stack of states; END counts as the rest.

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

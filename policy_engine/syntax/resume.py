"""Resume a stuck parser at the next clause, item or closing bracket that it can read."""

from __future__ import annotations

from policy_engine.syntax.driver import Machine
from policy_engine.syntax.tokens import END, ITEMS, Scanner, Token

_OPENERS = frozenset({"LPAR", "LSQB", "LBRACE"})
_CLOSERS = frozenset({"RPAR", "RSQB", "RBRACE"})
_BEFORE_VERDICT = frozenset({"ARROW", "INT", "THEN"})
_CLAUSES = frozenset(
    "severity incident control on"
    " when unless require allow approve warn remind ask deny stop timeout fail shadow repeats counts reset at enter"
    " exit lock dwell run call priority before after observe stage retries until owner".split()
)


class Resumption:
    """`clauses` are the terminals that begin a clause of any item."""

    items = frozenset(word.upper() for word in ITEMS)

    def __init__(self, scanner: Scanner) -> None:
        self.clauses = frozenset(scanner.keywords[word] for word in _CLAUSES if word in scanner.keywords)
        self._keywords = frozenset(scanner.words)
        self._sure = (self.clauses | self.items) - scanner.soft
        self._stray_braces = False

    def forgives(self) -> bool:
        """Return whether a closing brace at the level of the file follows from what was skipped; asked once each."""
        forgiven, self._stray_braces = self._stray_braces, False
        return forgiven

    def expect_stray(self, kind: str) -> None:
        """Remember that a closing bracket was put in: if it was a brace, the real one may stand further down."""
        self._stray_braces = self._stray_braces or kind == "RBRACE"

    def resume(self, machine: Machine) -> None:
        """Skip to where reading can go on, dropping what was begun and cannot be finished."""
        tokens = machine.tokens
        at = machine.index
        depth = 0
        if machine.start == "expression":
            self.close_expression(machine)
            return
        if len(machine.states) <= 2:
            self.next_item(machine)
            return
        while True:
            token = tokens[at]
            kind = token.kind
            begins_item = kind in self.items and first_on_line(machine, at)
            if kind in _OPENERS:
                depth += 1
            elif kind in _CLOSERS and depth:
                depth -= 1
            elif kind == END or (begins_item and not self._cut_possible(machine, kind, 3)):
                self._close(machine, at)
                return
            elif not depth or begins_item:
                if self._synchronises(machine, at, kind) and self._cut(machine, kind):
                    machine.index = at
                    return
            at += 1

    def next_item(self, machine: Machine) -> None:
        """Drop the item that was begun and skip to the next one."""
        if machine.start == "expression":
            self.close_expression(machine)
            return
        self._stray_braces = True
        _to_file_level(machine)
        at = machine.index
        while machine.tokens[at].kind != END:
            if machine.tokens[at].kind in self.items and (first_on_line(machine, at)):
                break
            at += 1
        if at == machine.index and machine.tokens[at].kind != END and not machine.accepts([machine.tokens[at].kind]):
            at += 1
        machine.index = at

    def close_expression(self, machine: Machine) -> None:
        """Replace the end by a name, where only an expression is read."""
        end = len(machine.tokens) - 1
        _drop(machine, 1)
        machine.index = end
        place = machine.tokens[end].start
        machine.tokens.insert(end, Token("NAME", "unknown", place, place))

    def abandon(self, machine: Machine) -> None:
        """Read no further."""
        machine.index = len(machine.tokens) - 1
        self._close(machine, machine.index)

    def _close(self, machine: Machine, at: int) -> None:
        """Close the innermost block before the token at `at`, or drop everything that is begun."""
        machine.index = at
        token = machine.tokens[at]
        machine.scan.doubtful.add(token.start)
        if not self._cut(machine, "RBRACE"):
            _to_file_level(machine)
            return
        place = machine.tokens[at - 1].end if at else 0
        machine.tokens.insert(at, Token("RBRACE", "", place, place))

    def _synchronises(self, machine: Machine, at: int, kind: str) -> bool:
        if kind == "RBRACE":
            return True
        if kind in self._sure and (at == 0 or machine.tokens[at - 1].kind not in _BEFORE_VERDICT):
            return True
        return kind in self._keywords and first_on_line(machine, at)

    def _cut_possible(self, machine: Machine, kind: str, least: int) -> bool:
        sizes = range(len(machine.states), least - 1, -1)
        return any(machine.accepts([kind], machine.states[:size], strict=True) for size in sizes)

    def _cut(self, machine: Machine, kind: str) -> bool:
        """Drop the least that makes `kind` readable."""
        for size in range(len(machine.states), 0, -1):
            if machine.accepts([kind], machine.states[:size], strict=True):
                _drop(machine, size)
                return True
        return False


def _drop(machine: Machine, size: int) -> None:
    del machine.states[size:], machine.values[size - 1 :], machine.begins[size - 1 :]


def _to_file_level(machine: Machine) -> None:
    """Drop the item that was begun; one that is complete stays."""
    if not machine.accepts([END]):
        _drop(machine, next((at + 1 for at, value in enumerate(machine.values) if type(value) is Token), 1))


def first_on_line(machine: Machine, at: int) -> bool:
    """Return whether no other token stands before the one at `at` on its line."""
    tokens = machine.tokens
    return at == 0 or "\n" in machine.source.text[tokens[at - 1].end : tokens[at].start]

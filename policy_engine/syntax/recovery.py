"""Report a mistake at a token once, and make a parser that can read on.

First the smallest repairs are tried on a copy of the parser's states: another token, one more, one less. A repair
counts only if the tokens after it can be read too. If none fits, the text is skipped up to the next clause, item or
closing bracket that some enclosing state accepts. What was repaired silently (the `)` of a missing `(`) is remembered,
so that one mistake gives one problem.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from policy_engine.model.diagnostic import Diagnostic
from policy_engine.model.source import Span
from policy_engine.syntax import messages
from policy_engine.syntax.diagnostic_builder import nearest
from policy_engine.syntax.driver import Machine
from policy_engine.syntax.expected import COMPARISONS, Expected
from policy_engine.syntax.resume import Resumption, first_on_line
from policy_engine.syntax.tokens import END, GIVE_UP, Scanner, Token

CLOSERS = {"RPAR": "LPAR", "RSQB": "LSQB", "RBRACE": "LBRACE"}
_CLOSED = (
    ("RPAR",), ("RSQB",), ("RBRACE",), ("RPAR", "RPAR"), ("RBRACE", "RBRACE"), ("RPAR", "RBRACE"),
    ("RBRACE", "RBRACE", "RBRACE"),
)  # fmt: skip
_SIGNS = (("COMMA",), ("LBRACE",), ("LPAR",), ("ASSIGN",))
_OPENERS = (("LBRACE",), ("LPAR",), ("LSQB",))
_MISSING_VALUES = (("NAME",), ("STRING",), ("INT",), ("DURATION",))
_WORDS = (("IN",), ("ON",), ("WHEN",), ("EXIT", "INT"), ("EXIT",), ("ROUNDS",), ("TO",), ("BACKOFF", "TO"))
FEW = 3
COMPLETION = "before_completion"
_NAMED = frozenset({"RULE", "LIMIT", "MODE", "HOOK", "VERIFY"})
_OWED = {"LPAR": "RPAR", "LBRACE": "RBRACE", "LSQB": "RSQB"}
_VALUES = ("STRING", "NAME", "INT", "DURATION", "DATE")
_STAND_INS = {"STRING": '"?"', "NAME": "unknown", "INT": "1", "DURATION": "1s", "DATE": "2026-01-01", "REGEX": "/x/"}
_BINDERS = frozenset({"DEFINE", "ANY", "EVERY", "COUNT"})
_AFTER_NAME = COMPARISONS | {"AND", "OR", "ELSE", "EXCEPT", "DOT", "LPAR", "LSQB"}


class Recovery:
    """One per text."""

    def __init__(self, scanner: Scanner) -> None:
        self._expected = Expected(scanner)
        self._words = scanner.words
        self._resumption = Resumption(scanner)
        self._owed: list[str] = []

    def repair(self, machine: Machine) -> None:
        """Complain once about the current token and let `machine` read on."""
        token = machine.tokens[machine.index]
        if len(machine.context.diagnostics) > GIVE_UP:
            self._resumption.abandon(machine)
            return
        if token.kind == END:
            self._at_end(machine, token)
            return
        attempts: tuple[Callable[[Machine, Token], bool], ...] = (
            self._owed_closer, self._wrong_equals, self._chained, self._other_point, self._reserved,
            self._no_expression, self._misspelt, self._missing, self._closer, self._wrong_value, self._surplus,
        )  # fmt: skip
        if not any(attempt(machine, token) for attempt in attempts):
            self._skip(machine, token)

    def too_deep(self, machine: Machine) -> None:
        token = machine.tokens[machine.index - 1]
        machine.context.report(messages.too_deep(machine.source, Span(token.start, token.end)))
        self._resumption.next_item(machine)

    # ---- repairs -----------------------------------------------------------------------------------------------------

    def _owed_closer(self, machine: Machine, token: Token) -> bool:
        for closer in reversed(self._owed):
            if _fits(machine, [closer, *_ahead(machine, 1)]):
                self._owed.remove(closer)
                _insert(machine, [closer])
                return True
        return False

    def _wrong_equals(self, machine: Machine, token: Token) -> bool:
        other, text = {"ASSIGN": ("EQUAL", "=="), "EQUAL": ("ASSIGN", "=")}.get(token.kind, ("", ""))
        if not other or not _fits(machine, [other, *_ahead(machine, 1, 1)]):
            return False
        self._complain(machine, token, messages.wrong_equals(machine.source, _span(token), text))
        _replace(machine, other)
        return True

    def _chained(self, machine: Machine, token: Token) -> bool:
        if token.kind not in COMPARISONS or not _fits(machine, ["AND", *_ahead(machine, 1, 1)]):
            return False
        self._complain(machine, token, messages.chained_comparison(machine.source, _span(token)))
        _replace(machine, "AND")
        return True

    def _other_point(self, machine: Machine, token: Token) -> bool:
        """Report a keyword that is the name of a lifecycle point in another system, such as `on stop`."""
        if machine.index == 0 or machine.tokens[machine.index - 1].kind != "ON" or token.kind not in self._words:
            return False
        meant = nearest(token.text, [COMPLETION])
        if not meant or not _fits(machine, ["NAME", *self._some(machine, 2, 1)]):
            return False
        self._complain(machine, token, messages.unknown_word(machine.source, _span(token), meant))
        machine.tokens[machine.index] = token._replace(kind="NAME", text=meant)
        return True

    def _reserved(self, machine: Machine, token: Token) -> bool:
        if token.kind not in self._words or not machine.accepts(["NAME"]):
            return False
        binds = machine.index > 0 and machine.tokens[machine.index - 1].kind in _BINDERS
        if not binds and machine.tokens[machine.index + 1].kind not in _AFTER_NAME:
            return False
        if not _fits(machine, ["NAME", *self._some(machine, 2, 1)]):
            return False
        self._complain(machine, token, messages.reserved_word(machine.source, _span(token)))
        _replace(machine, "NAME")
        return True

    def _no_expression(self, machine: Machine, token: Token) -> bool:
        if not (machine.accepts(["NAME"]) and machine.accepts(["LPAR"]) and machine.index):
            return False
        if not _fits(machine, ["NAME", *self._some(machine, 2)]):
            return False
        before = machine.tokens[machine.index - 1]
        self._complain(machine, token, messages.missing_expression(machine.source, _span(before), before.text))
        _insert(machine, ["NAME"])
        return True

    def _misspelt(self, machine: Machine, token: Token) -> bool:
        if token.kind != "NAME" and token.kind not in machine.tables.soft:
            return False
        keywords = self._expected.keywords(machine)
        meant = nearest(token.text, keywords)
        if not meant or not _fits(machine, [keywords[meant], *self._some(machine, 2, 1)]):
            return False
        self._complain(machine, token, messages.unknown_word(machine.source, _span(token), meant))
        _replace(machine, keywords[meant])
        return True

    def _missing(self, machine: Machine, token: Token) -> bool:
        kinds = self._insertion(machine)
        if not kinds:
            return False
        opening = _opening(machine, CLOSERS[kinds[0]]) if kinds[0] in CLOSERS else None
        place = _gap(machine, token)
        if opening is not None:
            closer = self._expected.text(kinds[0]).strip("`")
            problem = messages.unclosed(machine.source, place, closer, opening)
            self._resumption.expect_stray(kinds[0])
        else:
            what = " and ".join(self._expected.text(kind) for kind in kinds)
            advice = _named(machine, token) if kinds == ("NAME",) else ""
            problem = messages.missing(machine.source, place, what, f"`{token.text[:30]}`", advice)
        self._complain(machine, token, problem)
        self._owed += [_OWED[kind] for kind in kinds if kind in _OWED]
        _insert(machine, kinds)
        return True

    def _insertion(self, machine: Machine) -> Sequence[str]:
        """Return what would have to stand before the current token; where little is possible, little must follow it."""
        few = len(self._expected.kinds(machine)) <= FEW
        line_begins = first_on_line(machine, machine.index)
        for kinds in (("ARROW",), *_CLOSED, *_SIGNS, *_MISSING_VALUES):
            if kinds == ("ARROW",) and line_begins:
                continue
            if kinds[0] == "RBRACE" and not line_begins and not _opened_on_line(machine):
                continue
            if _fits(machine, [*kinds, *self._some(machine, 3)]):
                return kinds
        for kinds in (*_OPENERS, *_WORDS) if few else ():
            if _fits(machine, [*kinds, *_ahead(machine, 0 if line_begins else 1)]):
                return kinds
        return ()

    def _some(self, machine: Machine, count: int, skip: int = 0) -> list[str]:
        """Return the kinds of the next tokens, up to the first that begins a clause or ends a block."""
        kinds = _ahead(machine, count, skip)
        for at, kind in enumerate(kinds):
            if kind in self._resumption.clauses or kind == "RBRACE":
                return kinds[: at + 1]
        return kinds

    def _closer(self, machine: Machine, token: Token) -> bool:
        if token.kind not in CLOSERS or not _fits(machine, _ahead(machine, 1, 1)):
            return False
        if not (token.kind == "RBRACE" and self._resumption.forgives()):
            self._complain(machine, token, messages.stray_closer(machine.source, _span(token)))
        machine.index += 1
        return True

    def _wrong_value(self, machine: Machine, token: Token) -> bool:
        if token.kind not in _STAND_INS and token.kind not in self._words:
            return False
        in_expression = machine.accepts(["NAME"]) and machine.accepts(["LPAR"])
        for kind in ("NAME", *_VALUES) if in_expression else _VALUES:
            if _fits(machine, [kind, *self._some(machine, 2, 1)]):
                self._unexpected(machine, token, "")
                _replace(machine, kind)
                return True
        return False

    def _surplus(self, machine: Machine, token: Token) -> bool:
        if not _fits(machine, self._some(machine, 3, 1)):
            return False
        self._unexpected(machine, token)
        machine.index += 1
        return True

    # ---- no repair ---------------------------------------------------------------------------------------------------

    def _skip(self, machine: Machine, token: Token) -> None:
        block = _block(machine)
        clauses = self._resumption.clauses
        at_clause = machine.accepts(["RBRACE"]) if block else True
        if token.kind in clauses and at_clause:
            allowed = sorted(word for word, kind in self._expected.keywords(machine).items() if kind in clauses)
            self._complain(machine, token, messages.misplaced_clause(machine.source, _span(token), block, allowed))
        else:
            self._unexpected(machine, token)
        self._resumption.resume(machine)

    def _at_end(self, machine: Machine, token: Token) -> None:
        for kinds in _CLOSED:
            if machine.accepts(kinds) == len(kinds):
                opening = _opening(machine, CLOSERS[kinds[0]])
                if opening is not None and kinds[0] not in self._owed:
                    closer = self._expected.text(kinds[0]).strip("`")
                    place = _gap(machine, token)
                    self._complain(machine, token, messages.unclosed(machine.source, place, closer, opening))
                _insert(machine, kinds[:1])
                machine.scan.doubtful.add(token.start)
                return
        place = _gap(machine, token)
        if machine.start == "expression":
            before = machine.tokens[max(machine.index - 1, 0)]
            self._complain(machine, token, messages.missing_expression(machine.source, place, before.text))
            self._resumption.close_expression(machine)
            return
        expected = self._expected.shown(machine)
        self._complain(machine, token, messages.unexpected_end(machine.source, place, expected))
        self._resumption.resume(machine)

    def _unexpected(self, machine: Machine, token: Token, advice: str = "") -> None:
        expected = self._expected.shown(machine)
        meant = nearest(token.text, self._expected.keywords(machine)) if token.kind == "NAME" and not advice else ""
        if meant == token.text:  # a keyword that something behind it makes a name, such as `on: before_tool`
            following = machine.tokens[machine.index + 1 : machine.index + 2]
            advice = f"write `{meant}` without `{following[0].text}` behind it" if following else ""
        elif meant:
            advice = f"did you mean `{meant}`?"
        self._complain(machine, token, messages.unexpected(machine.source, _span(token), expected, advice))

    def _complain(self, machine: Machine, token: Token, problem: Diagnostic) -> None:
        if token.start not in machine.scan.doubtful:
            machine.context.report(problem)
            machine.scan.doubtful.add(token.start)


def _named(machine: Machine, token: Token) -> str:
    """Return how an item that has only a title gets a name; empty where no title follows."""
    before = machine.tokens[machine.index - 1] if machine.index else token
    if before.kind not in _NAMED or token.kind != "STRING":
        return ""
    name = re.sub("[^a-z0-9]+", "-", token.text.lower()).strip("-0123456789")[:30].rstrip("-") or "some-name"
    return f"a {before.text} needs a name before its title: `{before.text} {name} {token.text}`"


def _ahead(machine: Machine, count: int, skip: int = 0) -> list[str]:
    """Return the kinds of the next tokens, from the current one or the one `skip` further on."""
    first = machine.index + skip
    return [token.kind for token in machine.tokens[first : first + count]]


def _fits(machine: Machine, kinds: Sequence[str]) -> bool:
    return machine.accepts(kinds) == len(kinds)


def _span(token: Token) -> Span:
    return Span(token.start, token.end)


def _gap(machine: Machine, token: Token) -> Span:
    """Return where something is missing: at the token, or after the one before it if that stands on an earlier line."""
    if machine.index == 0:
        return _span(token)
    before = machine.tokens[machine.index - 1]
    if token.kind == END or "\n" in machine.source.text[before.end : token.start]:
        return Span(max(before.end - 1, 0), before.end)
    return _span(token)


def _replace(machine: Machine, kind: str) -> None:
    token = machine.tokens[machine.index]
    text = token.text if kind == "NAME" and token.text else _STAND_INS.get(kind, token.text)
    machine.tokens[machine.index] = token._replace(kind=kind, text=text)


def _insert(machine: Machine, kinds: Sequence[str]) -> None:
    place = machine.tokens[machine.index - 1].end if machine.index else 0
    machine.tokens[machine.index : machine.index] = [
        Token(kind, _STAND_INS.get(kind, ""), place, place) for kind in kinds
    ]


def _opening(machine: Machine, kind: str) -> Span | None:
    """Return the innermost bracket of that kind that is still open."""
    for value in reversed(machine.values):
        if type(value) is Token and value.kind == kind and value.end > value.start:
            return _span(value)
    return None


def _opened_on_line(machine: Machine) -> bool:
    """Return whether the innermost open brace stands on the current token's line."""
    opening = _opening(machine, "LBRACE")
    here = machine.tokens[machine.index].start
    return opening is not None and "\n" not in machine.source.text[opening.start : here]


def _block(machine: Machine) -> str:
    """Return the item around the current place, such as `rule`; empty at the level of the file."""
    for value in reversed(machine.values):
        if type(value) is Token and value.kind in Resumption.items:
            return value.text
    return ""

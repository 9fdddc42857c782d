"""The state of a reading of JavaScript: the tokens, the place among them, the values of names, the steps left.

Imported by the hook path when a line carries such code.
"""

from __future__ import annotations

from policy_engine.inline.javascript_tokens import NotRead, Token
from policy_engine.inline.values import Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.inline.effect_analysis import EffectAnalysis
    from policy_engine.inline.javascript_calls import JavaScriptCalls

MOST_STEPS = 60_000  # tokens that are visited, those of repeated bodies counted again
_END = Token("end", "", True)


class TooLong(Exception):
    """The code takes more steps than are read."""


class Closure:
    """A function of the code: its parameters and its body as ranges of tokens."""

    __slots__ = ("parameters", "body", "expression", "names")

    def __init__(self, parameters: list[Token], body: list[Token], expression: bool, names: dict[str, Any]) -> None:
        self.parameters = parameters
        self.body = body
        self.expression = expression
        self.names = names


class Class(Table):
    """A class of the code, by its members."""

    __slots__ = ()


def made_of(what: Class) -> Table:
    """Return a new object of a class, whose methods know it as `this`."""
    made = Table({}, False)
    for name, member in what.entries.items():
        if isinstance(member, Closure):
            member = Closure(member.parameters, member.body, member.expression, {**member.names, "this": made})
        made.entries[name] = member
    return made


class State:
    """The state of one reading."""

    calls: JavaScriptCalls

    def __init__(self, analysis: EffectAnalysis) -> None:
        self.analysis = analysis
        self.tokens: list[Token] = []
        self.place = 0
        self.names: dict[str, Any] = {}
        self.results: list[Any] = []
        self.pending: list[Any] = []
        self.steps = 0
        self.depth = 0
        self.applied: list[int] = []  # the bodies of functions that are being walked

    def peek(self, ahead: int = 0) -> Token:
        """Return a token without taking it."""
        place = self.place + ahead
        return self.tokens[place] if place < len(self.tokens) else _END

    def take(self) -> Token:
        """Return the next token and go on."""
        token = self.peek()
        self.place += 1
        self.step()
        return token

    def step(self) -> None:
        """Count a visited token."""
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise TooLong

    def at(self, *values: str) -> bool:
        """Return whether the next token is one of these signs or keywords."""
        token = self.peek()
        return token.kind in ("sign", "name") and token.value in values

    def skip(self, value: str) -> bool:
        """Take the next token if it is this sign or keyword."""
        if self.at(value):
            self.take()
            return True
        return False

    def expect(self, value: str) -> None:
        """Take this sign or keyword. Raises NotRead if another stands there."""
        if not self.skip(value):
            raise NotRead

    def bracketed(self) -> list[Token]:
        """Take a bracket that opens here, all within it and the one that closes it; return what is within."""
        closing = {"(": ")", "[": "]", "{": "}"}
        stack: list[str] = []
        start = self.place
        while True:
            token = self.take()
            if token.kind == "end":
                raise NotRead
            if token.kind == "sign" and token.value in closing:
                stack.append(closing[token.value])
            elif token.kind == "sign" and token.value in (")", "]", "}"):
                if not stack or stack.pop() != token.value:
                    raise NotRead
            if not stack:
                return self.tokens[start + 1 : self.place - 1]

    def within(self, tokens: list[Token], walk: Any) -> Any:
        """Walk other tokens, and come back."""
        outer = (self.tokens, self.place)
        self.tokens, self.place = tokens, 0
        try:
            return walk()
        finally:
            self.tokens, self.place = outer

"""The smallest conditions: a `Literal` asks one `Test` of one `Term`, or its negation.

Equality ignores where a literal stands, so that the same question in two rules is the same literal.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from policy_engine.analysis.terms import Term
from policy_engine.checker.tree import CommandPattern, Expr, GlobPattern, RegexPattern

NEVER = "{ false }"
"""The term of a member of a list that no list has: `any c in commands { false }` is undecided where the list is."""


@dataclass(frozen=True, slots=True)
class Truth:
    """The term is a Bool and true."""


@dataclass(frozen=True, slots=True)
class Among:
    """The term's value is one of these (`==`, `in`)."""

    values: frozenset[object]


@dataclass(frozen=True, slots=True)
class Range:
    """A number within bounds, which belong to it unless they are `open`; None is no bound."""

    low: int | None
    high: int | None
    low_open: bool = False
    high_open: bool = False


@dataclass(frozen=True, slots=True)
class Text:
    """A text that `part`, `prefix` or `suffix` stands in, or that a pattern matches (`regex`, `glob`)."""

    kind: str
    value: str | RegexPattern | GlobPattern


@dataclass(frozen=True, slots=True)
class Words:
    """A parsed command that a command pattern matches."""

    pattern: CommandPattern


@dataclass(frozen=True, slots=True)
class Options:
    """A parsed command that has one of these options."""

    names: frozenset[object]


@dataclass(frozen=True, slots=True)
class Exists:
    """The list has an element for which all of these hold; the element is `#depth` in them."""

    clause: frozenset[Literal]


Test = Truth | Among | Range | Text | Words | Options | Exists


@dataclass(frozen=True, slots=True)
class Literal:
    """`positive` says whether the test or its opposite is meant; `negated` whether `expr` stands under a `not`."""

    term: Term
    test: Test
    positive: bool
    expr: Expr = field(compare=False)
    negated: bool = field(default=False, compare=False)

    def opposite(self) -> Literal:
        """Return the literal that is true exactly when this one is false."""
        if isinstance(self.test, Range):
            return replace(self, test=_beyond(self.test, self.term.whole), negated=not self.negated)
        return replace(self, positive=not self.positive, negated=not self.negated)

    @property
    def text(self) -> str:
        """As the user wrote it, on one line."""
        words = " ".join(self.expr.place.text.split())
        return f"not ({words})" if self.negated else words


Clause = frozenset[Literal]
"""Literals joined by `and`."""


def _beyond(test: Range, whole: bool) -> Range:
    """Return the rest of the line; a range of a literal has one bound only."""
    if test.low is not None:
        return Range(None, test.low - 1) if whole else Range(None, test.low, high_open=not test.low_open)
    if whole and test.high is not None:
        return Range(test.high + 1, None)
    return Range(test.high, None, low_open=not test.high_open)

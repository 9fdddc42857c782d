"""State that every step of reading one text shares: the text, and its diagnostics."""

from __future__ import annotations

from typing import Any, NamedTuple

from policy_engine.model.diagnostic import Diagnostic
from policy_engine.model.source import Source, Span


class Context:
    """`diagnostics` grows while the text is read."""

    __slots__ = ("diagnostics", "source")

    def __init__(self, source: Source, diagnostics: list[Diagnostic]) -> None:
        self.source = source
        self.diagnostics = diagnostics

    def report(self, diagnostic: Diagnostic) -> None:
        self.diagnostics.append(diagnostic)


class Entry(NamedTuple):
    """A clause on its way into its item: the item's field name, the clause's place, and what it says."""

    word: str
    span: Span
    value: Any

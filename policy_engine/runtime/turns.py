"""Values of the reference loop: turns, calls, results, and how a run ended."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from policy_engine.model.decision import Decision

Message = dict[str, str]
"""`role` (user, assistant, tool, reminder) and `text`; of a tool also `id` and `name`."""


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call; `kind` as in canonical events."""

    id: str
    name: str
    kind: str
    args: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Turn:
    """An answer of a model: visible text, tool calls, or nothing; one that only thought (`thinking`) is no end.

    `usage`: `tokens` and `cents` of the session so far, as far as they are known.
    """

    text: str = ""
    calls: tuple[Call, ...] = ()
    thinking: bool = False
    usage: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Run:
    """The end of a run: `reason` is a stop reason, `text` the last visible text, `messages` the conversation."""

    reason: str
    detail: str
    text: str
    messages: tuple[Message, ...]


class Engine(Protocol):
    """Any `policy_engine.Engine`."""

    def decide(self, event: Any) -> Decision: ...


Model = Callable[[list[Message]], Turn]
"""Gives the next turn; raises BudgetExceeded if it may not go on, KeyboardInterrupt if the user does not want to."""
Tool = Callable[[Call, float | None], dict[str, Any]]
"""Runs a call within so many seconds; the canonical event's `result`, `changes`, `facts`, `todos` as one record."""


class BudgetExceeded(Exception):
    """The tokens, money or time of the run are used up; the text is the detail."""

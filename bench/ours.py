"""The engine itself as contestants: given a dictionary, given a checked `Event`, and with its own kinds of values."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.peers.base import Answer, Peer
from bench.rules import Rule, policy_text, told_text
from bench.workload import Event, with_parsed_values


class Ours:
    """`Engine.load` on one policy file; `decide` takes the canonical event as a dictionary."""

    text_of: Callable[[list[Rule]], str] = staticmethod(policy_text)

    def __init__(self, rules: list[Rule]) -> None:
        engine: Any = import_module("policy_engine.bootstrap").Engine
        with TemporaryDirectory() as folder:
            path = Path(folder, "main.policy")
            path.write_text(self.text_of(rules), encoding="utf-8")
            self._decide: Any = engine.load(str(path), log=False).decide

    def decide(self, request: Any) -> Any:
        """A full Decision: messages and reasons are read, so that none is put off until after the clock."""
        decision = self._decide(request)
        for result in decision.rules:
            result.message, result.because, result.evidence  # noqa: B018
        return decision

    def prepare(self, event: Event) -> Any:
        return event

    def answer(self, outcome: Any) -> Answer:
        if outcome.errors:
            raise RuntimeError(outcome.errors[0])
        return outcome.verdict, frozenset(result.rule for result in outcome.rules)


class OursChecked(Ours):
    """The same, on an event that was read and checked before."""

    def prepare(self, event: Event) -> Any:
        from policy_engine.model.event import Event as CheckedEvent

        return CheckedEvent.from_dict(event)


class OursParsed(Ours):
    """The same answers from rules over parsed commands and real paths."""

    def __init__(self, rules: list[Rule]) -> None:
        super().__init__(with_parsed_values(rules))


class OursShort(OursParsed):
    """The same as `OursParsed`, written in the short forms, with incident and control."""

    text_of = staticmethod(told_text)


OURS = (
    Peer("policy-engine", "", Ours, "from a dictionary to a full Decision"),
    Peer("policy-engine, Event", "", OursChecked, "the event was read and checked before"),
    Peer("policy-engine, commands", "", OursParsed, "the same answers through parsed shell commands and real paths"),
    Peer("policy-engine, short", "", OursShort, "these rules in the short forms, with incident and control"),
)

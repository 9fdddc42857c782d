"""Record what a person wants to step through: tests of a policy file, or an event."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from policy_engine.checker.tree import CheckedRule, CheckedTest
from policy_engine.debug_adapter.recording import Moment, record_event, record_test
from policy_engine.debug_adapter.values import Value
from policy_engine.loading.loader import Loaded, load
from policy_engine.loading.recordings import recording
from policy_engine.model.errors import ConfigurationError
from policy_engine.testing.question import ASKED, ask
from policy_engine.testing.runner import suite


class Launch:
    """A policy set and the moments that were recorded of it."""

    def __init__(self, arguments: dict[str, Any]) -> None:
        """Take the arguments of a `launch`. Raises PolicyLoadError, ConfigurationError."""
        self._program = str(arguments.get("program", ""))
        if not Path(self._program).exists():
            raise ConfigurationError(f"`program` is a policy file or a folder of them: there is no `{self._program}`")
        self._loaded = load([self._program])
        self._loaded.require_program()
        self._events: list[Any] = []
        self._tests: set[str] = set()
        if "event" in arguments:
            found = recording(os.path.abspath(str(arguments["event"])), strict=False)
            self._events = [each.event for each in found if each.event is not None]
            self._events = self._events[: _number(arguments, "at", len(self._events))]
        else:
            chosen = _chosen(suite(self._loaded, [self._program]).tests, _number(arguments, "line", 0))
            self._tests = {test.place.location for test in chosen}
        self.moments = self._record(self._loaded)
        if not any(moment.stops for moment in self.moments):
            raise ConfigurationError("no rule listens there: name an `event`, or policies that have tests")

    def _record(self, loaded: Loaded, asked: CheckedRule | None = None) -> list[Moment]:
        if self._events:
            return record_event(self._events, loaded)
        own = suite(loaded, [self._program])
        tests = (test for test in own.tests if test.place.location in self._tests)
        return [moment for test in tests for moment in record_test(test, own.trials, asked)]

    def path(self, name: str) -> str:
        """Return where a file of the set is."""
        return next((os.path.abspath(one.path) for one in self._loaded.parsed if one.name == name), name)

    def ask(self, expression: str, number: int, file: str) -> Value:
        """Evaluate an expression at a moment, as if it stood in a file. Raises ConfigurationError."""
        trees = {one.name: one for one in self._loaded.parsed if one.tree is not None}
        at = trees.get(file) or next(iter(trees.values()))
        assert at.tree is not None
        asked = ask(self._program, at.path, at.tree.source.text, expression, self.moments[number].event)
        rule = f"rule {ASKED}"
        stops = self._record(*asked)[number].stops
        return next(one for one in stops if one.around is not None and one.around.label == rule).asked()


def _chosen(tests: tuple[CheckedTest, ...], line: int) -> tuple[CheckedTest, ...]:
    """Return the test around a line, or all."""
    spans = [(test, test.place.source.position, test.place.span) for test in tests]
    return tuple(test for test, at, span in spans if at(span.start)[0] <= line <= at(span.end)[0]) or tests


def _number(arguments: dict[str, Any], name: str, default: int) -> int:
    """Return a number, which an editor may give as text."""
    value = str(arguments.get(name, default))
    if not value.isdigit():
        raise ConfigurationError(f"`{name}` is a number, not `{value}`")
    return int(value)

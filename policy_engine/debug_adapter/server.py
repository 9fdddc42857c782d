"""Answer an editor's debugger: a recorded evaluation is walked through, forwards and backwards."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from policy_engine.checker.tree import CheckedRule, CheckedTest
from policy_engine.debug_adapter.protocol import Channel, Message
from policy_engine.debug_adapter.recording import Moment, Stop, record_event, record_test
from policy_engine.debug_adapter.values import UNDECIDED, Parts, Value, value_of
from policy_engine.loading.loader import Loaded, load
from policy_engine.loading.recordings import recording
from policy_engine.model.errors import ConfigurationError, PolicyEngineError
from policy_engine.testing.question import ASKED, ask
from policy_engine.testing.runner import suite

FILTERS = {"undecided": "What is undecided", "refusal": "Rules that refuse"}
CAPABILITIES = {
    "supportsConfigurationDoneRequest": True,
    "supportsEvaluateForHovers": True,
    "supportsStepBack": True,
    "exceptionBreakpointFilters": [{"filter": name, "label": label} for name, label in FILTERS.items()],
}
Arguments = dict[str, Any]


class Server:
    """One session with one editor."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._stop_first: bool | None = None
        self._lines: dict[str, set[int]] = {}
        self._filters: set[str] = set()
        self._shown: list[Parts] = []
        self._here = self._told = 0  # numbers of stops
        self._later: list[tuple[str, dict[str, Any]]] = []
        self._handlers: dict[str, Callable[[Arguments], Any]] = {
            "initialize": lambda _: CAPABILITIES, "launch": self._begin, "disconnect": lambda _: None,
            "setBreakpoints": self._breakpoints, "setExceptionBreakpoints": self._exceptions,
            "configurationDone": self._configured, "pause": lambda _: None,
            "threads": lambda _: {"threads": [{"id": 1, "name": "evaluation"}]},
            "stackTrace": self._stack, "scopes": self._scopes, "variables": self._variables, "evaluate": self._evaluate,
            "next": lambda _: self._step(0), "stepIn": lambda _: self._step(None),
            "stepOut": lambda _: self._step(1), "stepBack": lambda _: self._step(None, -1),
            "continue": lambda _: self._run(), "reverseContinue": lambda _: self._run(-1),
        }  # fmt: skip

    def serve(self) -> None:
        """Answer until the editor leaves."""
        while (request := self._channel.read()) is not None:
            self._answer(request)
            if request.get("command") == "disconnect":
                break

    def _answer(self, request: Message) -> None:
        """Answer a request, and then tell what came of it."""
        self._later, arguments = [], request.get("arguments")
        try:
            handler = self._handlers[str(request.get("command"))]
            self._channel.answer(request, handler(arguments if isinstance(arguments, dict) else {}))
        except PolicyEngineError as error:
            self._channel.answer(request, problem=str(error))
        except (AttributeError, LookupError, TypeError, ValueError):  # before `launch`, or of another session
            self._channel.answer(request, problem="what was asked for is not there")
        for name, body in self._later:
            self._channel.event(name, **body)

    def _begin(self, arguments: Arguments) -> None:
        self._launch = Launch(arguments)
        moments = self._launch.moments
        self._stops = [(stop, moment) for moment in moments for stop in moment.stops]
        self._stop_first = arguments.get("stopOnEntry")
        self._later.append(("initialized", {}))  # lines can be checked from now on

    def _breakpoints(self, arguments: Arguments) -> Any:
        """Put each at the first line from it on that is evaluated."""
        path = os.path.abspath(arguments["source"]["path"])
        able = sorted({line for stop, _ in self._stops for file, line in self._at(stop) if file == path})
        wanted = [one["line"] for one in arguments.get("breakpoints") or ()]
        found = [next((number for number in able if number >= line), None) for line in wanted]
        self._lines[path] = {number for number in found if number is not None}
        nothing = {"verified": False, "message": "nothing is evaluated from here on"}
        return {"breakpoints": [{"verified": True, "line": number} if number else nothing for number in found]}

    def _exceptions(self, arguments: Arguments) -> None:
        self._filters = FILTERS.keys() & set(arguments.get("filters") or ())

    def _configured(self, arguments: Arguments) -> None:
        free = not any(self._lines.values()) and not self._filters
        if free if self._stop_first is None else self._stop_first:
            self._stopped("entry")
        else:
            self._here = -1
            self._run()

    def _at(self, stop: Stop) -> list[tuple[str, int]]:
        """Return the file and the line of a stop, if it has any."""
        return [(self._launch.path(stop.line[0]), stop.line[1])] if stop.line is not None else []

    def _hits(self, number: int) -> bool:
        """Return whether to stop there: a line is one place, however many conditions stand on it."""
        stop, line = self._stops[number][0], self._stops[number][0].line
        if "undecided" in self._filters and stop.here.text.startswith(UNDECIDED):
            return True
        if "refusal" in self._filters and stop.refuses:
            return True
        arrives = number == 0 or self._stops[number - 1][0].line != line
        return arrives and any(line in self._lines.get(file, ()) for file, line in self._at(stop))

    def _step(self, less: int | None, step: int = 1) -> None:
        """Go to the next stop, of those that lie at most as deep as this one, less so many."""
        deepest = self._stops[self._here][0].depth - less if less is not None else None
        self._move(lambda at: deepest is None or self._stops[at][0].depth <= deepest, "step", step)

    def _run(self, step: int = 1) -> dict[str, bool]:
        self._move(self._hits, "breakpoint", step)
        return {"allThreadsContinued": True}

    def _move(self, wanted: Callable[[int], bool], reason: str, step: int) -> None:
        end = len(self._stops) if step > 0 else -1
        found = next((at for at in range(self._here + step, end, step) if wanted(at)), None)
        self._here = found if found is not None else max(end, 0)
        for stop, _ in self._stops[self._told : self._here]:
            if stop.said:
                self._later.append(("output", {"category": "stdout", "output": f"{stop.said}\n"}))
        self._told = max(self._told, self._here)
        if self._here < len(self._stops):
            self._stopped(reason if found is not None else "entry")
        else:
            self._later += [("terminated", {}), ("exited", {"exitCode": 0})]

    def _stopped(self, reason: str) -> None:
        self._shown = []
        text = self._stops[self._here][0].label
        self._later.append(("stopped", {"reason": reason, "threadId": 1, "allThreadsStopped": True, "text": text}))

    def _stack(self, arguments: Arguments) -> Any:
        """Return the stops around, each with its place; a frame's id is the number of its stop, from 1."""
        numbers = {id(stop): number for number, (stop, _) in enumerate(self._stops, 1)}
        frames = []
        for stop in self._stops[self._here][0].chain():
            frame = {"id": numbers[id(stop)], "name": stop.label, "line": 0, "column": 0}
            if stop.place is not None:
                line, column = stop.place.source.position(stop.place.span.start)
                path = self._launch.path(stop.place.source.name)
                frame |= {"line": line, "column": column, "source": {"name": os.path.basename(path), "path": path}}
            frames.append(frame)
        return {"stackFrames": frames, "totalFrames": len(frames)}

    def _scopes(self, arguments: Arguments) -> Any:
        stop, moment = self._stops[arguments["frameId"] - 1]
        event = value_of(moment.event.raw)
        scopes = {"Here": stop.here, "Fields": moment.fields, "Past": moment.past, "Event": event}
        if stop.node is not None:
            scopes["Here"] = Value("", (("is", Value(stop.here.text)), *stop.here.parts))
        return {
            "scopes": [
                {"name": name, "variablesReference": self._reference(shown.parts), "expensive": name != "Here"}
                for name, shown in scopes.items()
            ]
        }

    def _reference(self, parts: Parts) -> int:
        self._shown += [parts] if parts else []
        return len(self._shown) if parts else 0

    def _variables(self, arguments: Arguments) -> Any:
        parts = self._shown[arguments["variablesReference"] - 1]
        return {"variables": [{"name": name, **self._plain("value", value)} for name, value in parts]}

    def _plain(self, key: str, value: Value) -> dict[str, Any]:
        return {key: value.text, "variablesReference": self._reference(value.parts)}

    def _evaluate(self, arguments: Arguments) -> Any:
        """Look the words up among what is shown, else ask them as an expression of the language."""
        expression, frame = str(arguments["expression"]).strip(), arguments.get("frameId") or self._here + 1
        stop, moment = self._stops[frame - 1]
        for around in stop.chain():
            found = around.here.at([expression]) or around.here.at(expression.split("."))
            if found is not None:
                return self._plain("result", found)
        file = next((one.line[0] for one in stop.chain() if one.line is not None), "")
        number = next(at for at, one in enumerate(self._launch.moments) if one is moment)
        return self._plain("result", self._launch.ask(expression, number, file))


# ---- what is recorded ------------------------------------------------------------------------------------------------


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

"""Hold the state of one test: a virtual workspace, a clock, the given values, and the events decided so far."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from policy_engine.filesystem.file_system import Virtual
from policy_engine.history.digest import text_digest
from policy_engine.history.facts import facts_of
from policy_engine.model.event import Event
from policy_engine.model.ladder import RANK
from policy_engine.model.undecided import ABSENT, Undecided
from policy_engine.shell.parse import parse
from policy_engine.testing.givens import Givens
from policy_engine.testing.probe import Probe, StepResult, Watcher
from policy_engine.testing.trials import Trial

SESSION = "test"
WORKSPACE = "/workspace"
START = int(datetime(2026, 1, 5, 12, tzinfo=UTC).timestamp() * 1000)  # a Monday
HOST = {"name": "generic", "interactive": True}
MAIN = {"kind": "main", "name": "main"}


class Stage:
    """The state of one test between its steps.

    `time` in ms since the epoch; `heard` the events of the current step; `facts` those that the next event carries.
    """

    def __init__(self, trial: Trial, watched: frozenset[str] = frozenset(), watcher: Watcher | None = None) -> None:
        self.givens = Givens()
        self.filesystem = Virtual(WORKSPACE)
        self.probe = Probe(trial, self.givens.counters, self._filesystem_of, watched, watcher)
        self.time = START
        self.heard: list[StepResult] = []
        self.facts: dict[str, Any] = {}
        self.todos: dict[str, dict[str, Any]] = {}
        self.answer = "done"
        self._events = 0
        self._opened = False
        self._unsaid: dict[str, Any] = {}

    def _filesystem_of(self, workspace: str | None) -> Virtual:
        """The filesystem of a workspace that is given in place of the usual one has the same files."""
        if workspace is None or workspace == self.filesystem.workspace:
            return self.filesystem
        moved = Virtual(workspace)
        moved.files = self.filesystem.files
        return moved

    @property
    def is_main(self) -> bool:
        """Return whether the main agent acts."""
        return bool(self.givens.said.get("agent.kind", "main") == "main")

    # ---- telling the engine ------------------------------------------------------------------------------------------

    def tell(self, point: str, **more: Any) -> bool:
        """One event; True if the answer asks, denies or stops."""
        if not self._opened:
            self._opened = True
            self.tell_if_heard("session_start")
        event = self.event(point, **more)
        self.facts = {}
        answer = self.probe.ask(event, {**self._unsaid, **self.givens.slots} or None)
        self.heard.append(answer)
        return RANK[answer.decision.verdict] >= RANK["ask"]

    def tell_if_heard(self, point: str, **more: Any) -> bool:
        """As `tell`, if anything listens there."""
        kind = self.givens.said.get("tool.kind", more["tool"]["kind"]) if "tool" in more else None
        return self.probe.listens(point, kind) and self.tell(point, **more)

    def event(self, point: str, **more: Any) -> dict[str, Any]:
        """The canonical event of a point, with everything that is given."""
        self._events += 1
        event = {
            "hook": point,
            "session": SESSION,
            "id": f"e-{self._events}",
            "time": datetime.fromtimestamp(self.time / 1000, UTC).isoformat(timespec="milliseconds"),
            "cwd": self.filesystem.workspace,
            "workspace": self.filesystem.workspace,
            "agent": MAIN,
            "host": HOST,
            **more,
        }
        if self.todos:
            event["todos"] = list(self.todos.values())
        if self.facts:
            event["facts"] = self.facts
        return self.givens.applied(event)

    def propose(self, tool: dict[str, Any]) -> bool:
        """A call that has not run; True if it may not."""
        return self.tell("before_tool", tool=tool) or self.tell_if_heard("before_permission", tool=tool)

    def perform(self, tool: dict[str, Any], happen: Callable[[], str]) -> None:
        """A call that runs unless it is refused; `happen` changes the disk and gives the call's text."""
        if not self.propose(tool):
            result = {"ok": True, "text": happen(), "timed_out": False, "status": "completed"}
            self.tell("after_tool", tool=tool, result=result)
        self.tell("after_round")

    def run(self, tool: dict[str, Any], code: int, output: str | None) -> None:
        """A shell command that runs to its end unless it is refused."""
        self.end(tool, {"ok": code == 0, "exit_code": code}, output)

    def end(self, tool: dict[str, Any], result: dict[str, Any], output: str | None) -> None:
        """A call that runs and ends with this result unless it is refused.

        Without `output` rules read an empty text, and nothing is concluded from a summary that is not in it.
        """
        if not self.propose(tool):
            result = {**result, "timed_out": False, "status": "completed" if result["ok"] else "failed"}
            if output is not None:
                result["text"] = output
            if tool["kind"] == "shell" and "exit_code" in result:
                self._effects(tool, result)
            self._unsaid = {} if output is not None else {"result_text": "", "result_digest": text_digest("")}
            self.tell("after_tool", tool=tool, result=result)
            self._unsaid = {}
        self.tell("after_round")

    # ---- the disk ----------------------------------------------------------------------------------------------------

    def put(self, path: str, content: str | None) -> str:
        """Write a file; without content it stays as it is, or appears empty."""
        place = self.filesystem.resolve(path, self.filesystem.workspace)
        if content is not None or place.real not in self.filesystem.files:
            self.filesystem.write(place, (content or "").encode("utf-8", "surrogateescape"))
        return ""

    def text(self, path: str) -> str:
        """Return what is in a file; empty if there is none."""
        place = self.filesystem.resolve(path, self.filesystem.workspace)
        return self.filesystem.files.get(place.real, b"").decode("utf-8", "replace")

    def remove(self, path: str) -> str:
        """Delete what the path names itself."""
        self.filesystem.delete(self.filesystem.resolve(path, self.filesystem.workspace, False))
        return ""

    def _effects(self, tool: dict[str, Any], result: dict[str, Any]) -> None:
        """Apply what the commands of a line evidently did to files, as the history will take it."""
        count, event = self._events, Event.from_dict(self.event("after_tool", tool=tool, result=result))
        self._events = count
        try:
            commands = tuple(parse(tool["args"]["command"], self.filesystem.workspace, self.filesystem))
        except Undecided:
            return
        for fact in facts_of(event, self.filesystem, commands):
            if fact.path is None or not fact.sure or fact.kind == "read":
                continue
            if fact.kind == "deleted":
                self.filesystem.delete(fact.path)
            elif self.filesystem.look(fact.path) is ABSENT and not fact.path.recursive:
                self.filesystem.write(fact.path, b"")

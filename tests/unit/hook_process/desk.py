"""An engine at a desk: its policy is in force at once, its home is a test's own; payloads in, answers out."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from policy_engine.adapters.base import Adapter, Answer
from policy_engine.hook_process.native import answered
from policy_engine.hook_process.response_writer import ResponseWriter
from policy_engine.loading.active import Live
from policy_engine.loading.loader import load_text
from tests.unit.hook_process.plain import plain

POLICY = """\
language 1
rule no-rm "R" { on before_tool(shell) when any c in commands { c.program == "rm" } deny "No rm." }
rule not-yet "N" { on before_completion on subagent_completion when answer == "no" deny "Not yet." }
rule late "L" { on before_tool(shell) when time.hour == 1 warn "Go to bed." }
rule hint "H" { on before_tool(shell) when any c in commands { c.program == "cat" } warn shadow }
rule cat "C" { on before_tool(shell) when any c in commands { c.program == "cat" } warn timeout 3s }
rule tac "T" { on before_tool(shell) when any c in commands { c.program == "cat" } deny }
waive tac "known" { until 9999-12-31 owner "someone" }
"""


class Desk:
    """An engine whose policy is in force, what it was asked for, and the answers that it gives."""

    def __init__(self, home: Path, work: Path) -> None:
        self.home, self.work = home, work
        self.live = Live(load_text(POLICY).require_program())
        self.fault: Exception | None = None
        self.looked: list[tuple[Any, ...]] = []
        self.response = ResponseWriter(plain(), "")

    def look(self, workspace: str | None, compiling: Callable[[], None], starts: bool) -> Live:
        """In the place of `live`."""
        self.looked.append((workspace, compiling == self.response.compiling, starts))
        if self.fault is not None:
            raise self.fault
        return self.live

    def event(self, hook: str = "before_tool", command: str = "ls", **fields: Any) -> dict[str, Any]:
        """A canonical event in the workspace."""
        place = {"cwd": str(self.work), "workspace": str(self.work)}
        found = {"hook": hook, "session": "s", "id": "e", "time": "1970-01-01T00:00:00Z", **place, **fields}
        if hook in ("before_tool", "before_permission", "after_tool"):
            found.setdefault("tool", {"name": "sh", "kind": "shell", "id": "t", "args": {"command": command}})
        return {name: value for name, value in found.items() if value is not ...}

    def answer(
        self, native: str, event: Any, adapter: Adapter | None = None, lost: bool = False, **payload: Any
    ) -> Answer:
        """The answer to a payload with this event."""
        adapter = adapter or plain()
        self.response = ResponseWriter(adapter, "")
        return answered(adapter, native, json.dumps({**payload, "event": event}).encode(), self.response, lost)

    def decision(self, native: str, event: dict[str, Any], **options: Any) -> dict[str, Any]:
        """The decision that the adapter was given."""
        said = json.loads(self.answer(native, event, **options).stdout)
        assert (said["native"], said["event"]) == (native, event["id"])
        found: dict[str, Any] = said["decision"]
        return found

    @property
    def record(self) -> dict[str, Any]:
        """The last record of the decision log."""
        lines = (self.home / ".local/state/policy-engine/decisions.jsonl").read_text().splitlines()
        found: dict[str, Any] = json.loads(lines[-1])
        return found

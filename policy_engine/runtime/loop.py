"""The reference loop: run any model with any tools, and ask the engine at every lifecycle point.

    loop = Loop(engine, model, tools, session="s-1", workspace="/home/dev/proj")
    run = loop.run("Repair the failing test.")        # run.reason == "accepted", run.text

A turn with tool calls runs them; a turn without is a proposal to finish, which the engine accepts, refuses with a hint
(the text is not kept: a model that reads its own "done" believes it) or ends. An empty text that nobody refuses ends
the run as `empty_response`. Every way out closes the session, asks `before_stop`, and decides the stop reason once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from policy_engine.model.decision import Decision
from policy_engine.model.ladder import RANK, stop_order
from policy_engine.runtime.turns import BudgetExceeded, Call, Engine, Message, Model, Run, Tool


class _Stop(Exception):
    """The run ends for a reason that is among the signals."""


@dataclass(slots=True)
class Loop:
    """Runs of one agent. `approve` answers `ask` (default: nobody does, so it is a denial); `compact` shortens the
    messages once there are more than `context`; `tell` hears (event name, payload); `agent` is main or a sub-agent."""

    engine: Engine
    model: Model
    tools: Mapping[str, Tool]
    session: str
    workspace: str
    max_turns: int = 90
    approve: Callable[[Call, Decision], bool] | None = None
    compact: Callable[[list[Message]], list[Message]] | None = None
    context: int = 200
    tell: Callable[[str, dict[str, Any]], None] = lambda name, payload: None
    agent: dict[str, str] = field(default_factory=lambda: {"kind": "main", "name": "main"})
    messages: list[Message] = field(default_factory=list)
    _signals: dict[str, str] = field(default_factory=dict)
    _usage: dict[str, int] = field(default_factory=dict)
    _text: str = ""
    _events: int = 0

    def run(self, prompt: str) -> Run:
        """One run, from a prompt to its stop reason. Never raises for what model, tools or policies do."""
        self._signals, self._text = {}, ""
        try:
            self._turns(prompt)
        except _Stop:
            pass
        except KeyboardInterrupt:
            self._signals["user_interrupt"] = ""
        except BudgetExceeded as problem:
            self._signals["budget_exceeded"] = str(problem)
        except Exception as problem:
            self._signals["fatal_error"] = f"{type(problem).__name__}: {problem}"
        reason, detail = decide_stop(self._signals)
        for point in ("before_stop", "session_end") if self._main else ():
            self._ask(point, stop={"reason": reason, "detail": detail})
        self._tell("stop_reason_decided", {"reason": reason, "detail": detail})
        return Run(reason, detail, self._text, tuple(self.messages))

    def _tell(self, name: str, payload: dict[str, Any]) -> None:
        """Tell whoever listens; a listener that fails ends nothing."""
        with suppress(Exception):
            self.tell(name, payload)

    @property
    def _main(self) -> bool:
        return self.agent["kind"] == "main"

    def _turns(self, prompt: str) -> None:
        if self._main and not self.messages:
            self._ask("session_start")
        if self._refused(self._ask("prompt" if self._main else "subagent_start", prompt=prompt)):
            self._stop("fatal_error", self.messages[-1]["text"])
        self._say("user", prompt)
        for _ in range(self.max_turns):
            self._shorten()
            turn = self.model(self.messages)
            self._usage = dict(turn.usage) or self._usage
            if turn.text:
                self._text = turn.text
            if turn.calls:
                self._say("assistant", turn.text)
                for call in turn.calls:
                    self._call(call)
                self._ask("after_round")
            elif turn.text.strip() or not turn.thinking:
                self._finish(turn.text)
        self._stop("react_step_exhausted", f"the limit of {self.max_turns} turns is reached")

    def _finish(self, text: str) -> None:
        decision = self._ask("before_completion" if self._main else "subagent_completion", answer=text)
        self._tell("acceptance_decided", {"verdict": decision.verdict, "rules": [one.rule for one in decision.rules]})
        if self._refused(decision):
            return  # on with the hint; the text is not kept
        self._say("assistant", text)
        self._stop("accepted" if text.strip() else "empty_response", "")

    def _call(self, call: Call) -> None:
        tool = {"id": call.id, "name": call.name, "kind": call.kind, "args": call.args}
        decision = self._ask("before_tool", tool=tool)
        if decision.verdict == "ask" and self.approve is not None:
            decision = self._ask("before_permission", tool=tool)
            allowed = RANK[decision.verdict] <= RANK["ask"] and self.approve(call, decision)
        else:
            allowed = RANK[decision.verdict] < RANK["ask"]
        if not allowed:
            self._say("tool", f"refused: {_reasons(decision, 'warn')}", id=call.id, name=call.name)
            return
        try:
            record = self._result(call, None if decision.timeout_ms is None else decision.timeout_ms / 1000)
        except KeyboardInterrupt:
            self._ask("after_tool", tool=tool, result={"ok": False, "text": "cancelled", "status": "failed"})
            raise
        self._say("tool", str(record["result"].get("text", "")), id=call.id, name=call.name)
        self._ask("after_tool", tool=tool, **record)

    def _result(self, call: Call, seconds: float | None) -> dict[str, Any]:
        """Return what a tool did; one that raises has failed, one that is not there too."""
        tool = self.tools.get(call.name)
        if tool is None:
            return {"result": {"ok": False, "text": f"there is no tool `{call.name}`", "status": "failed"}}
        try:
            return tool(call, seconds)
        except TimeoutError as problem:
            return {"result": {"ok": False, "text": f"timed out: {problem}", "timed_out": True, "status": "timed_out"}}
        except Exception as problem:
            return {"result": {"ok": False, "text": f"{type(problem).__name__}: {problem}", "status": "failed"}}

    def _shorten(self) -> None:
        if self.compact is None or len(self.messages) <= self.context:
            return
        if not self._refused(self._ask("before_compact")):
            self.messages[:] = self.compact(self.messages)
            self._ask("after_compact")

    def _ask(self, hook: str, **more: Any) -> Decision:
        """One event; reminders reach the model, a `stop` ends the run."""
        self._events += 1
        event = {"hook": hook, "session": self.session, "id": f"{self.agent['name']}-{self._events}",
                 "cwd": self.workspace, "workspace": self.workspace, "agent": self.agent,
                 "host": {"name": "generic", "interactive": self.approve is not None}, **more}  # fmt: skip
        if self._usage:
            event["usage"] = self._usage
        decision = self.engine.decide(event)
        self._tell(hook, {"event": event, "decision": decision})
        if decision.verdict == "stop" and not self._signals:
            self._stop(decision.stop_reason or "", _reasons(decision, "stop"))
        if any(one.verdict == "remind" for one in decision.rules):
            self._say("reminder", _reasons(decision, "remind"))
        return decision

    def _refused(self, decision: Decision) -> bool:
        """Return whether it is refused; the model then reads why."""
        if RANK[decision.verdict] < RANK["ask"]:
            return False
        self._say("reminder", _reasons(decision, "ask"))
        return True

    def _say(self, role: str, text: str, **more: str) -> None:
        self.messages.append({"role": role, "text": text, **more})

    def _stop(self, reason: str, detail: str) -> None:
        self._signals[reason] = detail
        raise _Stop


def _reasons(decision: Decision, least: str) -> str:
    """Return what the rules of at least that verdict say, strictest first; of reminders only these."""
    most = RANK["remind"] if least == "remind" else RANK["stop"]
    return "\n".join(one.message for one in decision.rules if RANK[least] <= RANK[one.verdict] <= most)


# ---- the one reason of a stop ----------------------------------------------------------------------------------------
# Whatever happened at once, the earliest in the one order of stop reasons wins (interfaces page); a run that gave no
# signal at all has stopped for a reason that nobody knows, which is a fault.

UNDETERMINED = "the stop reason is undetermined"


def decide_stop(signals: Mapping[str, str]) -> tuple[str, str]:
    """Return reason and detail (trimmed) of the earliest of the signals, reason -> detail."""
    if not signals:
        return "fatal_error", UNDETERMINED
    reason = min(signals, key=lambda name: (stop_order(name), name))
    return reason, signals[reason].strip()

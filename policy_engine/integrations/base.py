"""Share what integrations need: canonical events of a framework's calls, and the answer to each decision.

A member file `integrations/<framework>.py` puts a `Guard` into the place where its framework lets others in. A rule
that could not be asked never looks like one that allowed: whatever goes wrong in here refuses.
"""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, TypeVar
from uuid import uuid4

from policy_engine.adapters.base import REFUSING, paragraphs, reason, refusal_of, result_text, visible
from policy_engine.model.decision import Decision, RuleResult
from policy_engine.model.errors import EventError
from policy_engine.model.tool_use import Call as Call
from policy_engine.model.tool_use import Tool as Tool
from policy_engine.model.tool_use import guessed, plain
from policy_engine.protocol.call import enter_folder
from policy_engine.protocol.payload import records, todo
from policy_engine.runtime.completion import EXHAUSTED
from policy_engine.runtime.completion import NAME as BUDGET
from policy_engine.runtime.engine import failure
from policy_engine.runtime.turns import Engine

CONTINUATIONS = 7  # refused completions after one prompt; below every cap of a framework, the smallest being 8
RUNS = 4096  # sessions whose beginning and refusals are remembered
LOG = logging.getLogger("policy_engine")
T = TypeVar("T")


class Stopped(Exception):
    """The policy ended the run; its text says why, `reason` is the stop reason, `decision` what was decided.

    A person takes over: neither the work nor the answer has been accepted.
    """

    def __init__(self, text: str, decision: Decision) -> None:
        super().__init__(text)
        self.decision = decision
        self.reason = decision.stop_reason or ""

    @property
    def final(self) -> bool:
        """Return whether all of the run ends; a sub-agent that may not begin or end so concerns only its caller."""
        return self.decision.verdict == "stop"


@dataclass(frozen=True, slots=True)
class Run:
    """The source of events: a session, and the agent in it."""

    session: str
    kind: str = "main"
    name: str = "main"

    @property
    def slot(self) -> tuple[str, str]:
        """Under what its refusals are counted."""
        return self.session, "" if self.kind == "main" else self.name


@dataclass(frozen=True, slots=True)
class Ruling:
    """The answer to a call: `verdict` is allow, ask, deny or stop; `refusal` says why not; `told` is for the model."""

    verdict: str
    refusal: str
    context: str
    decision: Decision

    @property
    def refused(self) -> bool:
        """Return whether it must not happen."""
        return self.verdict != "allow"

    def stopped(self) -> Stopped:
        """Return the end of the run as an exception."""
        return Stopped(self.refusal, self.decision)


_ABOVE: ContextVar[str] = ContextVar("policy_engine_session", default="")


class Guard:
    """An engine, and how the framework's tools are to be understood.

    `workspace` is the folder that the tools work in (default: the current one); `tools` maps a tool's name to its kind
    or its `Tool`; `interactive` says that a person answers what rules `ask`, otherwise that is a denial.
    """

    def __init__(
        self,
        engine: Engine,
        host: str,
        workspace: str | os.PathLike[str] | None = None,
        tools: Mapping[str, str | Tool] | None = None,
        interactive: bool = False,
        continuations: int = CONTINUATIONS,
    ) -> None:
        self.engine = engine
        self.host = host
        self.workspace = os.path.abspath(os.fspath(workspace) if workspace is not None else os.getcwd())
        self.tools = {name: tool if isinstance(tool, Tool) else Tool(tool) for name, tool in (tools or {}).items()}
        self.interactive = interactive
        self.continuations = continuations
        self._refused: OrderedDict[tuple[str, str], int] = OrderedDict()
        self._lock = threading.Lock()

    def run(self, session: str = "", name: str = "main") -> Run:
        """Return the run of an agent; one that begins within a tool call of another is a sub-agent of its session."""
        above = _ABOVE.get()
        if above:
            return Run(above, "subagent", name if name != "main" else "subagent")
        return Run(session or uuid4().hex, "main", name)

    def begin(self, run: Run, prompt: str) -> Ruling:
        """Judge a person's prompt, or the task of a sub-agent; the first one begins the session."""
        if run.kind != "main":
            return self.rule(run, "subagent_start", prompt=prompt)
        context = ""
        if self.forget(run):
            opened = self.rule(run, "session_start")
            if opened.refused:
                return opened
            context = opened.context
        ruling = self.rule(run, "prompt", prompt=prompt)
        return Ruling(ruling.verdict, ruling.refusal, paragraphs(context, ruling.context), ruling.decision)

    def before(self, run: Run, call: Call) -> Ruling:
        """Judge a call before it runs; `ask` only if a person answers here. Raises Stopped if the run must end."""
        return self._ended(self.rule(run, "before_tool", call, ask=self.interactive))

    def after(self, run: Run, call: Call, value: Any, failed: bool = False) -> Ruling:
        """Return what a call gave, or the exception it ended with. Raises Stopped if the run must end."""
        return self._ended(self.rule(run, "after_tool", call, value=value, failed=failed))

    def finish(self, run: Run, answer: str) -> Ruling:
        """Judge the end of a run with an answer. Raises Stopped once refusing has stopped helping."""
        point = "before_completion" if run.kind == "main" else "subagent_completion"
        return self._ended(self._ruling(self.counted(run, self._decided(run, point, answer=answer)), ask=False))

    def counted(self, run: Run, decision: Decision) -> Decision:
        """Return the decision on an answer, or the end of the run after too many refusals, whatever became of the
        engine's own budget (completion-budget), which is smaller.
        """
        if decision.verdict not in ("ask", "deny"):
            self.forget(run)
            return decision
        with self._lock:
            count = self._refused.pop(run.slot, 0) + 1
            self._keep(run, count)
        if count <= self.continuations:
            return decision
        text = f"Completion was refused {self.continuations} times. A person takes over."
        result = RuleResult(BUDGET, "violated", "stop", text, reason=EXHAUSTED)
        one, rules = decision, (result, *decision.rules)
        return self.kept(Decision(one.event, one.hook, one.session, "stop", one.policy, rules, one.errors, EXHAUSTED))

    def kept(self, decision: Decision) -> Decision:
        """Log a decision that the engine did not take, and return it."""
        log = getattr(self.engine, "log", None)
        if log is not None:
            log.decided(decision, None, self.host)
        return decision

    def unread(self, native: str, point: str, error: EventError) -> None:
        """Leave in the log that an event of the host could not be read, which refuses it."""
        log = getattr(self.engine, "log", None)
        if log is not None:
            log.failed(self.host, native, point, error.code, str(error))

    def forget(self, run: Run) -> bool:
        """Forget the refusals of a run, which begins anew; whether it is a new one."""
        with self._lock:
            known = self._refused.pop(run.slot, None) is not None
            self._keep(run, 0)
        return not known

    def enter(self, run: Run) -> str:
        """Note that a tool of this run begins, which owns agents that begin meanwhile; return the value for `leave`."""
        above = _ABOVE.get()
        _ABOVE.set(run.session)
        return above

    def leave(self, above: str) -> None:
        """Note that the tool has ended."""
        _ABOVE.set(above)

    @contextmanager
    def within(self, run: Run) -> Iterator[None]:
        """While a tool of this run works."""
        above = self.enter(run)
        try:
            yield
        finally:
            self.leave(above)

    def rule(self, run: Run, point: str, call: Call | None = None, ask: bool = False, **more: Any) -> Ruling:
        """Decide one event. Never raises: what could not be asked is refused where something can be refused."""
        return self._ruling(self._decided(run, point, call, ask, **more), ask)

    def _decided(self, run: Run, point: str, call: Call | None = None, ask: bool = False, **more: Any) -> Decision:
        event: dict[str, Any] = {"hook": point, "session": run.session, "id": uuid4().hex}
        try:
            event |= {
                "cwd": self.workspace,
                "workspace": self.workspace,
                "agent": {"kind": run.kind, "name": run.name},
                "host": {"name": self.host, "interactive": ask},
                **(plain(more) if call is None else self._called(call, **more)),
            }
            return self.engine.decide(event)
        except Exception as fault:
            return self.kept(failure(event, "E-INTERNAL", f"{type(fault).__name__}: {fault}", ""))

    def _called(self, call: Call, **ended: Any) -> dict[str, Any]:
        """Return what the event says of a call: the tool, and once it has ended its result and the todos."""
        known = self.tools.get(call.name) or guessed(call)
        args = plain(call.args) if isinstance(call.args, Mapping) else {"input": plain(call.args)}
        args |= {name: args[own] for name, own in known.arguments.items() if own in args}
        tool = {"name": call.name, "kind": known.kind, "args": args}
        tool |= {key: value for key, value in (("id", call.id), ("server", call.server or known.server)) if value}
        fields: dict[str, Any] = {"tool": tool, "cwd": self.workspace}
        if known.kind == "shell":
            enter_folder(fields, args)
        if ended:
            fields["result"] = result_of(ended["value"], known, ended["failed"])
            if known.kind == "todo" and not ended["failed"] and type(args.get("todos")) is list:
                listed = records(args["todos"])
                fields["todos"] = [todo(item, item.get("id", str(place))) for place, item in listed]
        return fields

    def _ruling(self, decision: Decision, ask: bool) -> Ruling:
        """Warnings go to the log; `ask` where nobody answers is a denial that says so."""
        for text in (reason(decision, frozenset(("warn",))), *map(visible, decision.errors)):
            if text:
                LOG.warning("%s", text)
        context = reason(decision, frozenset(("remind",)))
        verdict = decision.verdict
        if verdict not in REFUSING:
            return Ruling("allow", "", context, decision)
        nobody = verdict == "ask" and not ask
        refusal = refusal_of(decision, asked=verdict == "ask" and ask, nobody=nobody)
        verdict = "deny" if nobody else verdict
        return Ruling(verdict, refusal, context, decision)

    @staticmethod
    def _ended(ruling: Ruling) -> Ruling:
        if ruling.verdict == "stop":
            raise ruling.stopped()
        return ruling

    def _keep(self, run: Run, count: int) -> None:
        self._refused[run.slot] = count
        while len(self._refused) > RUNS:
            self._refused.popitem(last=False)


def result_of(value: Any, tool: Tool, failed: bool) -> dict[str, Any]:
    """Return what a tool gave back, or the exception it ended with, as the canonical `result`."""
    if isinstance(value, BaseException):
        late = isinstance(value, TimeoutError)
        text = f"{type(value).__name__}: {value}"
        return {"ok": False, "text": text, "timed_out": late, "status": "timed_out" if late else "failed"}
    returned = plain(value)
    result: dict[str, Any] = {"text": result_text(returned)}
    code = tool.exit_code(value) if tool.exit_code is not None else _exit_code(returned, value)
    if type(code) is int:
        return result | {"ok": code == 0, "exit_code": code, "status": "completed" if code == 0 else "failed"}
    if failed:
        return result | {"ok": False, "status": "failed"}
    if tool.kind == "shell":  # it owes an exit status; one that shows none has proved nothing
        return result | {"status": "unknown"}
    return result | {"ok": True, "status": "completed"}


def _exit_code(result: Any, value: Any) -> Any:
    if type(result) is not dict:
        return getattr(value, "returncode", None)
    return result.get("exit_code", result.get("returncode"))


def stop_behind(error: BaseException | None) -> Stopped | None:
    """Return the Stopped that a framework wrapped into an exception of its own."""
    while error is not None and not isinstance(error, Stopped):
        error = error.__cause__ or error.__context__
    return error


async def aside(work: Callable[..., T], *arguments: Any) -> T:
    """Run `work` in a thread: a decision may wait for the commands of a policy, and an event loop must not."""
    return await asyncio.to_thread(work, *arguments)

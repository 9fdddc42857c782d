"""Hooks within a run of the reference loop: when they are asked, and what becomes of what they refuse."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from policy_engine.model.decision import Decision
from policy_engine.runtime.loop import Loop
from policy_engine.runtime.turns import Call, Message, Run, Turn
from tools.seeds.base import Answer, Case, Skip, Stage, UnknownShape
from tools.seeds.neocode.hooks import POINTS
from tools.seeds.neocode.words import KINDS, refused

ASKED = 'rule asked "x" { on before_tool ask "May it run?" }'
SAID = re.compile(r"(block|pass|observe|fail|failed|warn)s?(?: with)?(?: '(.*)')?")


@dataclass(slots=True)
class Heard:
    """What a run told, in the system's words."""

    events: list[str] = field(default_factory=list)
    called: list[str] = field(default_factory=list)
    seen: list[dict[str, Any]] = field(default_factory=list)
    blocked: list[str] = field(default_factory=list)
    executed: int = 0
    provider_calls: int = 0
    wrote: bool = False


def points_of(case: Case) -> list[str]:
    """The points that a case is about, by its name and by the events that it expects."""
    said = " ".join([case.name, str(case.expect.get("event", {}).get("point", ""))])
    found = [point for point in POINTS if re.search(rf"\b{point}\b", said)]
    if not found and "compact" in said:
        found = ["pre_compact", "post_compact"]
    if not found:
        raise UnknownShape(f"which point {case.name!r} is about")
    return found


def integration(case: Case) -> Answer:
    """The shapes of cases about hooks in a run."""
    if "content" in case.given:
        raise Skip("a preview is cut by the host that makes one; events carry the whole result")
    said, call, problem, point = case.take("hook", "call", "tool_error", "point")
    points = [point] if isinstance(point, str) else points_of(case)
    return answer(played(points, said or "observe", call, problem))


def played(points: list[str], said: str, name: str | None, problem: str | None) -> tuple[Run, Heard, list[str]]:
    """A run with a hook at these points."""
    words = SAID.fullmatch(said)
    if not words:
        raise UnknownShape(f"the hook {said!r}")
    heard = Heard()
    texts = ["language 1", *([ASKED] if "before_permission_decision" in points else [])]
    texts += [
        f'hook {point.replace("_", "-")} "x" {{ on {POINTS[point]} {_when(point)} call {point} }}' for point in points
    ]
    hooks = {point: _asked(point, words, heard) for point in points}
    with Stage(("\n".join(texts) + "\n",), hooks) as stage:
        loop = _loop(stage, points, name or "filesystem_read_file", problem, heard)
        run = loop.run("Do it.")
        heard.wrote = (stage.workspace / "a.txt").exists()
    return run, heard, points


def _when(point: str) -> str:
    return "when not result.ok" if point == "after_tool_failure" else ""


def _asked(point: str, words: re.Match[str], heard: Heard) -> Any:
    def hook(event: Any) -> Any:
        heard.called.append(point)
        heard.seen.append(event)
        heard.events += ["hook_started", "hook_failed" if words[1].startswith("fail") else "hook_finished"]
        if words[1] == "block":
            heard.blocked.append(point)
            heard.events.append("hook_blocked")
            return "deny", words[2] or "blocked"
        if words[1].startswith("fail"):
            raise RuntimeError(words[2] or "failed")
        return True

    return hook


def _loop(stage: Stage, points: list[str], name: str, problem: str | None, heard: Heard) -> Loop:
    kind = KINDS.get(name, "other")
    if "subagent_stop" in points:
        name, kind = "spawn_subagent", "agent"
    call = Call("c", name, kind, {"path": "a.txt", "content": "x", "command": "ls"})

    def model(messages: list[Message]) -> Turn:
        heard.provider_calls += 1
        return Turn(calls=(call,)) if heard.provider_calls == 1 else Turn("done")

    def tool(call: Call, seconds: float | None) -> dict[str, Any]:
        heard.executed += 1
        if problem is not None:
            raise KeyboardInterrupt if "cancel" in problem else RuntimeError(problem)
        if call.kind == "write":
            stage.write("a.txt", "x")
        return {"result": {"ok": True, "text": "done"}}

    def approve(call: Call, decision: Decision) -> bool:
        heard.events.append("permission_requested")
        return True

    agent = {"kind": "coder", "name": "coder-1"} if "subagent_start" in points else {"kind": "main", "name": "main"}
    compacts = any("compact" in point for point in points)
    return Loop(
        stage.engine, model, {name: tool}, "s", str(stage.workspace), 5, approve,
        (lambda messages: messages[-1:]) if compacts else None, 0 if compacts else 200, _telling(heard), agent,
    )  # fmt: skip


def _telling(heard: Heard) -> Any:
    started = {"prompt": "run_started", "before_compact": "compact_start", "after_compact": "compact_done",
               "subagent_start": "subagent_started", "session_end": "session_ended"}  # fmt: skip

    def hear(name: str, payload: dict[str, Any]) -> None:
        decision = payload.get("decision")
        if decision is None:
            heard.events.append(name)
        elif name == "before_tool":
            asks = decision.verdict == "ask"
            heard.events += [] if asks else ["tool_result"] if refused(decision) else ["tool_start"]
        elif (name == "before_permission" and decision.verdict in ("deny", "stop")) or name == "after_tool":
            heard.events.append("tool_result")
        elif name in started and not refused(decision):
            heard.events.append(started[name])

    return hear


def answer(found: tuple[Run, Heard, list[str]]) -> Answer:
    """What a run told, under the names of what may be expected."""
    run, heard, _points = found
    failed = run.reason == "fatal_error"
    results = [one.get("result", {}) for one in heard.seen]
    return {
        "executed": heard.executed,
        "tool_executions": heard.executed,
        "error_class": "hook_blocked" if heard.blocked and not heard.executed else "",
        "events": heard.events,
        "events_in_order": heard.events,
        "not_events": heard.events,
        "wrote": heard.wrote,
        "provider_calls": heard.provider_calls,
        "hook_called": bool(heard.called),
        "hook_calls": len(heard.called),
        "called": [point for number, point in enumerate(heard.called) if point not in heard.called[:number]],
        "has_execution_error": any(one.get("ok") is False and bool(one.get("text")) for one in results),
        "run_error": run.detail if failed else None,
        "run_error_contains": run.detail,
        "error": failed,
        "error_contains": run.detail or "\n".join(one["text"] for one in run.messages if one["role"] != "user"),
        "stop_reason": run.reason,
        "event": {"type": "hook_blocked", "point": heard.blocked[0], "enforced": True} if heard.blocked else {},
        "blocked": bool(heard.blocked),
    }


AREAS = {"hooks.integration": integration}

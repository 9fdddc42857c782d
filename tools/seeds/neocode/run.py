"""Whole runs of the reference loop with a scripted model: continuing, stopping, and the one reason why."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from policy_engine.runtime.loop import Loop
from policy_engine.runtime.stopping import UNDETERMINED, decide_stop
from policy_engine.runtime.turns import Call, Message, Run, Turn
from tools.seeds.base import Answer, Case, Stage, UnknownShape
from tools.seeds.neocode.words import FOLDER, POLICY, refused

GATE_HOOK = """language 1
hook accept-gate "What the team asks at the end" {
  on before_completion
  when wrote("**") since prompted()
  call accept_gate
  fail open
}
"""
SIX = """language 1
limit completion-budget "Six replies, and not four" {
  on before_completion
  counts true
  at 6 stop missing_completion_signal "Six replies without a completion object."
}
"""
REASONS = {"react_step_exhausted": "max_turn_exceeded"}
NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight"]
EMPTY = re.compile(r"(?<!non-)\bempty\b")
WRITE = Turn(calls=(Call("c", "filesystem_write_file", "write", {"path": "a.txt", "content": "a"}),))
READ = Turn(calls=(Call("c", "filesystem_read_file", "read", {"path": "a.txt"}),))
OPEN = [{"id": "todo-1", "status": "pending", "required": True}]

Hook = Callable[[Any], Any]


@dataclass(slots=True)
class Played:
    """A run and what was heard of it: events in the system's words, and what the model was given at each turn."""

    run: Run
    events: list[str] = field(default_factory=list)
    prompts: list[list[Message]] = field(default_factory=list)
    executed: list[str] = field(default_factory=list)
    turns_asked: int = 0

    @property
    def reason(self) -> str:
        return REASONS.get(self.run.reason, self.run.reason)

    @property
    def terminal(self) -> str:
        """How far the run came, by its reason."""
        if self.reason == "accepted":
            return "completed"
        return "failed" if self.reason in ("fatal_error", "required_todo_failed", "user_interrupt") else "incomplete"


def play(
    turns: list[Any],
    policies: tuple[str, ...] = (POLICY,),
    hooks: dict[str, Hook] | None = None,
    todos: list[dict[str, Any]] | None = None,
    **options: Any,
) -> Played:
    """A run whose model gives these turns, then the last one again and again; an exception among them is raised."""
    played = Played(Run("", "", "", ()))
    with Stage(policies, hooks or {}) as stage:

        def model(messages: list[Message]) -> Turn:
            turn = turns[min(played.turns_asked, len(turns) - 1)]
            played.turns_asked += 1
            played.prompts.append(list(messages))
            if isinstance(turn, BaseException):
                raise turn
            assert isinstance(turn, Turn)
            return turn

        def tool(call: Call, seconds: float | None) -> dict[str, Any]:
            played.executed.append(call.name)
            if call.kind == "write":
                stage.write(call.args["path"], call.args["content"])
            return {"result": {"ok": True, "text": "done"}, **({"todos": todos} if todos else {})}

        names = {call.name for turn in turns if isinstance(turn, Turn) for call in turn.calls}
        engine = _Telling(stage, todos)
        options.setdefault("max_turns", 30)
        options.setdefault("approve", lambda call, decision: True)
        tools = dict.fromkeys(names, tool)
        loop = Loop(engine, model, tools, "s", str(stage.workspace), tell=_hearing(played), **options)
        played.run = loop.run("Do it.")
    return played


class _Telling:
    """The engine, told of the todos with every event, as hosts do."""

    def __init__(self, stage: Stage, todos: list[dict[str, Any]] | None) -> None:
        self._engine = stage.engine
        self._more = {"todos": todos} if todos else {}

    def decide(self, event: dict[str, Any]) -> Any:
        return self._engine.decide({**event, **self._more})


def _hearing(played: Played) -> Callable[[str, dict[str, Any]], None]:
    def hear(name: str, payload: dict[str, Any]) -> None:
        if name == "before_completion":
            decision = payload["decision"]
            if any(one.rule == "accept-gate" and one.verdict == "deny" for one in decision.rules):
                played.events.append("hook_blocked")
            outcome = "accepted" if not refused(decision) else "failed" if decision.verdict == "stop" else "continued"
            played.events.append(f"acceptance_decided({outcome})")
            exhausted = decision.stop_reason == "accept_continue_exhausted"
            ends = ["verification_completed"] if outcome == "accepted" else ["verification_failed"] if exhausted else []
            played.events += ends
        elif name == "stop_reason_decided":
            played.events += [name, *(["agent_done"] if payload["reason"] == "accepted" else [])]

    return hear


def gate_hook(said: str, calls: list[str]) -> Hook:
    """The hook that the words describe, and note each call of it."""
    first = re.fullmatch(r"blocks? (?:the )?(?:first time|once)(?: with)?(?: '(.*)')?,? then pass(?:es)?", said)
    always = re.fullmatch(r"(?:always )?blocks?(?: always)?(?: with)?(?: '(.*)')?", said)
    if not (first or always or said in ("pass", "passes", "always pass", "none")):
        raise UnknownShape(f"the hook {said!r}")

    def hook(event: Any) -> Any:
        calls.append("accept_gate")
        if always or (first and len(calls) == 1):
            return "deny", ((first or always).group(1) if first or always else None) or "blocked"  # type: ignore[union-attr]
        return True

    return hook


def turns_of(said: Any) -> list[Turn]:
    """The turns that the words describe."""
    found: list[Turn] = []
    for one in [said] if isinstance(said, str) else said:
        if isinstance(one, dict):
            found += [] if one.get("thinking") and not one.get("text") else [Turn(str(one.get("text", "")))]
            continue
        body, times = times_of(str(one))
        text = re.fullmatch(r"(?:final )?text(?: only)?(?: '(.*)')?", body)
        if text:
            turn = Turn(text.group(1) or "done")
        elif "write" in body or "edit" in body:
            turn = WRITE
        elif EMPTY.search(body):
            turn = Turn("")
        elif "tool" in body or "read" in body or body == "T":
            turn = READ
        else:
            raise UnknownShape(f"the turn {one!r}")
        found += [turn] * times
    return found


def times_of(said: str) -> tuple[str, int]:
    """`four empty texts`, `4 x text`, `text x4`, `T` → what is said, and how often."""
    word, _, rest = said.partition(" ")
    times = re.search(r"(?:^|\s)[x×*]\s*(\d+)$", said)
    if times:
        return said[: times.start()].strip(), int(times.group(1))
    count = NUMBERS.index(word) if word in NUMBERS else int(word) if word.isdigit() else 1
    if word in NUMBERS or word.isdigit():
        said = re.sub(r"^(?:times |[x×*] )", "", rest).replace("texts", "text").replace("turns", "turn")
    return said, count


def continued(case: Case) -> Answer:
    """The last generation: refusals are hints, three of them, then a person takes over."""
    turns, said, todos = case.take("turns", "hook", "todos")
    calls: list[str] = []
    in_words = turns if isinstance(turns, str) else ""
    exhausting = "fourth" in in_words or "exhaust" in in_words
    if in_words and not exhausting and "continue" not in in_words:
        turns, in_words = [turns], ""
    last = Turn("") if EMPTY.search(in_words) else Turn("done")
    script = [WRITE, last] if in_words else turns_of(turns)
    hook = gate_hook(said or ("always block" if exhausting else "block once, then pass" if in_words else "pass"), calls)
    played = play(script, (POLICY, GATE_HOOK), {"accept_gate": hook}, todos)
    later = played.prompts[2:] if in_words else played.prompts
    hints = [one["text"] for prompt in later for one in prompt if one["role"] == "reminder"]
    kept = [one["text"] for prompt in later for one in prompt if one["role"] == "assistant" and one["text"]]
    decided = [event for event in played.events if event.startswith("acceptance_decided")]
    return {
        "provider_calls": played.turns_asked,
        "hook_calls": len(calls),
        "events": played.events,
        "events_in_order": played.events,
        "not_events": played.events,
        "run_error": played.run.detail if played.run.reason == "fatal_error" else None,
        "outcome": decided[-1][len("acceptance_decided(") : -1] if decided else "none",
        "stop_reason": played.reason,
        "terminal": played.terminal,
        "message_persisted": bool(played.run.text.strip()),
        "last_text": played.run.text,
        "assistant_message_persisted": bool(kept),
        "hint_in_next_prompt": bool(hints),
        "hint_contains": "\n".join(hints),
    }


def decided(case: Case) -> Answer:
    """The one deciding function."""
    known = ("pre", "pre_detail", "user_interrupted", "fatal", "budget_exceeded", "max_turns", "max_turn_exceeded",
             "verification_failed", "completed", "cancelled", "detail",
             "budget")  # fmt: skip
    pre, pre_detail, interrupted, fatal, budget, turns, over, failed, completed, cancelled, detail, spent = case.take(
        *known
    )
    if pre:
        reason, told = decide_stop({pre: pre_detail or detail or ""})  # a run that is decided is decided
        return {"reason": REASONS.get(reason, reason), "detail": told}
    signals: dict[str, str] = {}
    if interrupted or cancelled or "context canceled" in str(fatal or ""):
        signals["user_interrupt"] = ""
    if fatal:
        signals["fatal_error"] = str(fatal)
    if budget or spent:
        signals["budget_exceeded"] = budget if isinstance(budget, str) else ""
    if over or (turns is not None and turns is not False):
        limit = turns if isinstance(turns, int) and not isinstance(turns, bool) else 0
        signals["react_step_exhausted"] = f"runtime: max turn limit reached ({limit})" if limit else ""
    if failed:
        signals["verification_failed"] = failed if isinstance(failed, str) else ""
    if completed:
        signals["accepted"] = ""
    if detail:
        signals = dict.fromkeys(signals, str(detail))
    reason, told = decide_stop(signals)
    told = "stop reason undetermined" if told == UNDETERMINED else told
    return {"reason": REASONS.get(reason, reason), "detail": told, "detail_contains": told}


def emitted(case: Case) -> Answer:
    """The reason is decided and told once per run, however the run ends."""
    _, cancelled, _ = case.take("calls", "cancelled", "terminal")
    turns: list[Any] = [KeyboardInterrupt()] if cancelled else [Turn("done")]
    played = play(turns)
    told = [event for event in played.events if event == "stop_reason_decided"]
    return {"events": len(told), "stop_reason": played.reason}


def ended(case: Case) -> Answer:
    """How a run of a generation ends."""
    turns, missing, limit = case.take("turns", "missing", "max_turns")
    generation = case.given.get("gen", "G3")
    if missing is not None:
        script: list[Any] = [Turn("I repaired it.")] * missing
        if missing < 6:
            script.append(Turn('{"task_completion": "done"} I repaired it.'))
        played = play(script, (f"{FOLDER}/protocol.policy", SIX))
    else:
        first = generation.startswith(("G1", "G2"))
        policies = (f"{FOLDER}/gate.policy",) if first else (POLICY,)
        options = {"max_turns": limit} if limit else {}
        played = play(turns_of(turns), policies, **options)
    hidden = sum(1 for one in turns or () if isinstance(one, dict) and one.get("thinking") and not one.get("text"))
    return {
        "provider_calls": played.turns_asked + hidden,
        "tool_executions": len(played.executed),
        "stop_reason": played.reason,
        "terminal": played.terminal,
        "run_error": played.run.reason in ("fatal_error", "react_step_exhausted"),
        "detail": played.run.detail,
    }


AREAS = {"accept.continue": continued, "stop.decide": decided, "stop.emit": emitted, "stop.run": ended}

"""Repeats and phases; how many tokens a turn may have is not ours to say."""

from __future__ import annotations

import json
from typing import Any

from policy_engine.model.decision import Decision
from tools.seeds.base import SOUND, Answer, Case, Skip, Stage, UnknownShape
from tools.seeds.neocode.words import POLICY, refused, tool

PROBE = """language 1
rule streak "How often in a row" {
  on after_tool
  when limit.repeat_cycle.count > 0
  warn "{limit.repeat_cycle.count}"
}
rule nothing_in_a_row "Nothing repeats" {
  on after_tool
  when limit.repeat_cycle.count == 0
  warn "0"
}
limit subgoal "The same goal in a row" {
  on after_tool
  repeats (goal.digest)
  reset on goal.text matches /^\\s*$/
  at 2 warn "same"
}
"""
SIGNALS = ("tool", "result", "subgoal")


def repeat(case: Case) -> Answer:
    """The shapes of cases about repeats."""
    if "base_prompts" in case.given:
        raise Skip("how the words of a reminder stand in a prompt is the host's business")
    if "repeat_limit" in case.given or "max_turns" in case.given:
        raise Skip("what a host makes of a nonsensical setting is its configuration; in a policy it is an error")
    if "a" in case.given:
        return _signatures(case)
    if "state" not in case.given:
        return _played(case)
    state, now, limit = case.take("state", "input", "limit")
    if limit not in (None, 3):
        raise Skip("the limit stands in the policy, as a number of its steps")
    with Stage((POLICY, PROBE)) as stage:
        for _ in range(state.get("streak", 0) + 1):
            _turn(stage, state)
        decision = _turn(stage, now)
    relation = "unknown" if not now.get("subgoal") else "same" if _said(decision, "subgoal") else "different"
    return {**_progress(decision), "subgoal_relation": relation}


def _turn(stage: Stage, seen: dict[str, Any]) -> Decision:
    """A call with this signature and result while this is the goal; without either there was no call."""
    goal = {"text": seen.get("subgoal", "")}
    if not (seen.get("tool") and seen.get("result")):
        return stage.tell("after_round", goal=goal)
    call = tool("filesystem_read_file", path="a.txt", signature=seen["tool"])
    return stage.tell("after_tool", tool=call, result={"ok": True, "text": seen["result"]}, goal=goal)


def _said(decision: Decision, rule: str) -> list[str]:
    return [one.message for one in decision.rules if one.rule == rule]


def _progress(decision: Decision) -> dict[str, Any]:
    count = int(next(iter(_said(decision, "streak")), "0"))
    told = [*_said(decision, "repeat_cycle"), *_said(decision, "alternating"), *_said(decision, "any_cycle")]
    stopped = decision.verdict == "stop"
    return {
        "streak": max(count - 1, 0),
        "stalled": bool(told),
        "reminder": told[0].partition(":")[0] if told and not stopped else "",
        "terminate": stopped,
        "stop_reason": decision.stop_reason or "",
        "detail": told[0].partition(":")[0] if stopped and told else "",
    }


def _signatures(case: Case) -> Answer:
    """Whether two lists of calls are the same: the second repeats the first."""
    first, second = case.take("a", "b")
    keys = []
    for calls in (first, second):
        read = [[name, _arguments(raw)] for name, raw in calls]
        keys.append(json.dumps(read, sort_keys=True))
    with Stage((POLICY, PROBE)) as stage:
        for calls in (first, second):
            last = None
            for name, raw in calls:
                call = tool("read", **{"of": name, **_arguments(raw)})
                last = stage.tell("after_tool", tool=call, result={"ok": True, "text": "x"}, goal={"text": "g"})
    same = last is not None and len(first) == len(second) and _progress(last)["streak"] >= 1
    return {"a_equals_b": same}


def _arguments(raw: Any) -> dict[str, Any]:
    if isinstance(raw, dict):
        return raw
    try:
        found = json.loads(raw)
    except ValueError:
        found = None
    return found if isinstance(found, dict) else {"unparsable": raw}


def _played(case: Case) -> Answer:
    """Turns by letter: the same letter is the same call with the same result, `E` one that fails."""
    turns, limit = case.take("turns", "limit")
    if limit not in (None, 3):
        raise Skip("the limit stands in the policy, as a number of its steps")
    executions, calls, reminded, reason, text_seen, detail = 0, 0, False, "accepted", False, ""
    stalled: list[bool] = []
    with Stage((POLICY, PROBE)) as stage:
        for turn in turns:
            calls += 1
            if turn in ("text", "empty"):
                text_seen = turn == "text"
                decision = stage.tell("before_completion", answer="done" if text_seen else "")
                if text_seen and not refused(decision):
                    break
                continue
            name, text, okay = _called(turn)
            executions += 1
            call, result = tool("filesystem_read_file", path=f"{name}.txt"), {"ok": okay, "text": text}
            decision = stage.tell("after_tool", tool=call, result=result, goal={"text": "g"})
            found = _progress(decision)
            stalled.append(found["stalled"])
            reminded = reminded or bool(found["reminder"])
            if found["terminate"]:
                reason, detail = found["stop_reason"], found["detail"]
                break
    return {
        "tool_executions": executions,
        "provider_calls": calls,
        "stop_reason": reason,
        "terminal": "completed" if reason == "accepted" else "incomplete",
        "stalled": any(stalled),
        "reminder": reminded,
        "reminder_before_turn": stalled.index(True) + 2 if any(stalled) else None,
        "reminder_in_turn": stalled.index(True) + 2 if any(stalled) else None,
        "detail": detail,
        "run_error": None,
    }


def _called(turn: Any) -> tuple[str, str, bool]:
    """The tool that a turn calls, the text of its result, and whether it worked."""
    if isinstance(turn, dict) and turn.keys() <= {"tool", "result", "ok"}:
        return turn.get("tool", "T"), turn.get("result", ""), turn.get("ok", True)
    if isinstance(turn, str) and len(turn) <= 2:
        return turn, f"result of {turn}", turn != "E"
    raise UnknownShape(f"the turn {turn!r}")


def cycles(case: Case) -> Answer:
    """A, B, A, B, … is a repeat, and times in a result do not hide one."""
    found = _played(case)
    return {**found, SOUND: found["stalled"] is True}


def phase(case: Case) -> Answer:
    """Whether a run may go from one phase to another."""
    source, target = case.take("from", "to")
    with Stage((POLICY,)) as stage:
        allowed = not refused(stage.tell("before_tool", tool=tool("run_phase", **{"from": source, "to": target})))
    return {"allowed": allowed, "error": not allowed, "phase": target if allowed else source, "events": int(allowed)}


def budget(case: Case) -> Answer:
    raise Skip("how many tokens a turn may have is the host's business; the loop only knows that they are used up")


AREAS = {"repeat": repeat, "quirk.repeat": cycles, "run.phase": phase, "run.budget": budget}

"""Era 2, and the hard state of era 3: conditions, operations, and the one gate over both."""

from __future__ import annotations

import json
from typing import Any

from policy_engine.model.decision import Decision, RuleResult
from tools.seeds.base import Area, Skip, UnknownShape, quoted
from tools.seeds.icecoder.host import Given, Host, Mapping, areas, refused, reported, shaped
from tools.seeds.icecoder.words import todo_of

GATE = "compat/icecoder/e2-gate"
LEDGER = "compat/icecoder/e2-ledger"
HARD_STATE = "compat/icecoder/e3-hard-state"
CONDITION = """\
rule condition-{n} "A condition of the user" {{
  on before_completion
  when not tool_fact("satisfied", "{n}")
  deny "Condition {n} is open."
}}
"""
DECLARED = """\
rule satisfied-{n} "The condition is met" {{
  on after_round
  when command_success({command})
  warn "satisfied"
}}
rule failed-{n} "The condition has failed" {{
  on after_round
  when command_failure({command}) and command_failure({command}) since command_success({command})
  warn "failed"
}}
"""
_ENDS = {"completion_paused": "pause", "completion_failed": "fail"}
_TAIL = ("-again", "-withheld", "-write", "-execution")


def conditioned(host: Host, conditions: list[Given]) -> None:
    """Conditions are commands of the goal; the evidence of one that is satisfied is a run."""
    names = [f"check condition-{number}" for number, one in enumerate(conditions) if one.get("required", True)]
    host.prompt("the task", names)
    for number, one in enumerate(conditions):
        shaped(one, "status", "required evidence id label source")
        if one["status"] == "satisfied" and one.get("evidence"):
            host.run(f"check condition-{number}")
        elif one["status"] == "failed":
            host.run(f"check condition-{number}", False)
        elif one["status"] == "unverifiable":
            host.facts(condition="unverifiable")
        elif one["status"] not in ("pending", "satisfied"):
            raise UnknownShape(f"a condition that is `{one['status']}`")


def gate(given: Given, expect: Given) -> Given:
    shaped(given, "", "ops conditions answer_ready attempts")
    host = Host(GATE)
    conditioned(host, given.get("conditions", []))
    ledger = {one["id"]: one for one in (todo_of(op, n) for n, op in enumerate(given.get("ops", [])))}
    text = "done" if given.get("answer_ready", True) else ""
    decisions = [host.finish(text, todos=list(ledger.values())) for _ in range(given.get("attempts", 1))]
    last = decisions[-1]
    action, unverified = action_of(last), any(one.rule == "e2-unverified" for one in last.rules)
    status = {"pause": "paused", "fail": "failed", "continue": "continued"}.get(
        action, "completed_unverified" if unverified else "completed"
    )
    return {
        "action": action,
        "actions": [action_of(one) for one in decisions],
        "status": status,
        "reason": reason_of(last),
    }


def action_of(decision: Decision) -> str:
    """What the gate does."""
    if decision.verdict == "stop":
        return _ENDS.get(decision.stop_reason or "", decision.stop_reason or "")
    return "continue" if refused(decision) else "complete"


def reason_of(decision: Decision) -> str | None:
    """The first rule that refused, in the order of the gate."""
    names = sorted(one.rule for one in decision.rules if one.rule[3:4].isdigit())
    if not names:
        return None
    name = names[0][5:]
    for tail in _TAIL:
        name = name.removesuffix(tail)
    return name.replace("-", "_")


def hard_state(given: Given, expect: Given) -> Given:
    shaped(given, "", "op ops")
    ops = given.get("ops") or [given["op"]]
    ledger = {one["id"]: one for one in (todo_of(op, n) for n, op in enumerate(ops))}
    decision = Host(HARD_STATE).finish(todos=list(ledger.values()))
    ends = {"pause": "paused", "fail": "failed", "complete": "completed"}
    return {"status": ends[action_of(decision)], "reason": reason_of(decision)}


def conditions(given: Given, expect: Given) -> Given:
    if "record" in given:
        return _refreshed(given)
    run = shaped(shaped(given, "goal run")["run"], "command ok", "evidence")
    if "\\" in run["command"]:
        raise Skip("a command line of Windows: the engine reads Bash, and lines of cmd are undecided there")
    demanded = _demanded(given["goal"])
    declared = "".join(DECLARED.format(n=n, command=quoted(one)) for n, one in enumerate(demanded))
    host = Host(text="language 1\n" + declared)
    host.prompt(given["goal"], demanded)
    host.run(run["command"], run["ok"], id=run.get("evidence", "run"))
    spoken = {one.rule: one for one in host.ask("after_round").rules}
    return {"conditions": [_condition(spoken, number) for number in range(len(demanded))]}


def _demanded(goal: str) -> list[str]:
    host = Host(GATE)
    host.prompt(goal)
    said = host.round().get("e2-conditions", "")
    return said.split(", ") if said else []


def _condition(spoken: dict[str, RuleResult], number: int) -> Given:
    for status in ("satisfied", "failed"):
        found = spoken.get(f"{status}-{number}")
        if found is not None:
            return {"required": True, "status": status, "evidence": list(found.evidence)}
    return {"required": True, "status": "pending", "evidence": []}


def _refreshed(given: Given) -> Given:
    """Recorded conditions are rules of the policy; what a refresh brings is the host's list, which adds only."""
    shaped(given, "record replace_source")
    kept = [one["id"] for one in given["record"] if one.get("required", True)]
    kept += [
        one["id"] for one in given["record"] if one["id"] not in kept and one["source"] != given["replace_source"][0]
    ]
    host = Host(text="language 1\n" + "".join(CONDITION.format(n=name) for name in kept))
    new = [one for one in given["replace_source"][1] if one["id"] not in kept]
    todos = [{"id": one["id"], "status": "pending", "required": one.get("required", True)} for one in new]
    return {"count": len(host.finish(todos=todos).rules) + len(todos)}


def ledger(given: Given, expect: Given) -> Given:
    if "output_text" in given:
        shaped(given, "tool output_text")
        said = Host(LEDGER).result(given["tool"], {"command": "launch"}, True, given["output_text"], exit_code=0)
        return {"status": next(iter(said.values()), None)}
    host, pending = Host(LEDGER), []
    for op in shaped(given, "ops")["ops"]:
        shaped(op, "tool args output")
        settled = reported(op["args"], _json(op["output"]), True)
        name = "background_started" if settled.get("status") in ("started", "running") else "background_settled"
        host.facts(**{name: op["output"].get("taskId", "")})
        pending.append("e2-background-open" in host.round())
    return {"pending_after_each": pending}


def _json(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


MAPPINGS: dict[str, Mapping] = {
    "e2.gate": gate,
    "e2.conditions": conditions,
    "e2.ledger": ledger,
    "e3.hard_state": hard_state,
}
AREAS: dict[str, Area] = areas(MAPPINGS)

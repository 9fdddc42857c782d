"""The gates: declared checks as migrated rules, the last generation's two questions, and what of a list is a check."""

from __future__ import annotations

import json
from typing import Any

from policy_engine.conversion.document import Refused
from policy_engine.migrations.accept_checks import Check, checks
from policy_engine.migrations.base import migrate
from policy_engine.model.decision import Decision
from policy_engine.model.source import Source
from policy_engine.runtime.stopping import decide_stop
from tools.seeds.base import SOUND, Answer, Case, Skip, Stage, UnknownShape, loaded_from
from tools.seeds.neocode.words import FOLDER, POLICY, moment, refused, replay_facts, todo, tool

FINAL = """language 1
limit completion-budget "A refusal is final" {
  on before_completion
  counts true
  at 1 stop accept_check_failed "An acceptance check failed."
}
"""
PARSED = """language 1
rule parsed "What is run, without what is set for it" {
  on before_tool(shell)
  when any c in commands { c.text != "" }
  warn "{c.program}, {c.args}"
}
"""
TODO_RESULTS = ["required_todo_failed", "required_todo_convergence"]


def declared(raw: list[Any]) -> list[Check]:
    """The checks of a list, without the one that stands for none."""
    text = json.dumps(raw, indent=0)
    return [check for check in checks(Source("checks", text)) if check.where != "checks:1"]


def normalised(case: Case) -> Answer:
    """What `policy migrate` reads in a list of checks."""
    (raw,) = case.take("json")
    try:
        found = declared(raw)
    except Refused:
        return {"error": True}
    return {
        "error": False,
        "count": len(found),
        "kinds": [check.kind for check in found],
        "targets": [check.target for check in found],
        "matches": [check.match for check in found],
        "ids": [check.id for check in found],
        "required": [check.required for check in found],
        "params": [dict(check.params) for check in found],
    }


def misread(case: Case) -> Answer:
    """A text that only looks like a command or a file is neither."""
    found = normalised(case)
    return {**found, SOUND: found.get("kinds") == ["output_only"]}


def gate(case: Case) -> Answer:
    """The declared checks, migrated, after what the run did."""
    raw, facts, todos, text, cancelled, plan = case.take("checks", "facts", "todos", "text", "cancelled", "plan")
    if cancelled:
        reason, told = decide_stop({"fatal_error": cancelled if isinstance(cancelled, str) else "context canceled"})
        return {"outcome": "failed", "stop_reason": reason, "summary": told, "result_names": [], "result_count": 0}
    return judged(case, raw or [], facts or {}, [todo(one) for one in todos or ()], text, plan)


def judged(case: Case, raw: list[Any], facts: Any, todos: list[Any], text: str, plan: Any = None) -> Answer:
    """The verdict of the binary gate in its words."""
    listed = checks(Source("checks", json.dumps(raw)))
    page = migrate("accept-checks", json.dumps(raw)).policy_text
    ids = _rules_of(page)
    written = [check for check in listed if _rules_of(_alone(check))]
    if len(ids) != len(written):
        raise UnknownShape("a check that becomes several rules")
    names = {rule: check.id or check.kind or "accept_check" for rule, check in zip(ids, written, strict=True)}
    unsaid = [check.id or check.kind for check in listed if check not in written and check.required]
    with Stage((f"{FOLDER}/gate.policy", f"{FOLDER}/checks.policy", page, FINAL)) as stage:
        replay_facts(stage, facts)
        decision = stage.tell("before_completion", answer=text, todos=todos, **_plan(plan))
    results = [*TODO_RESULTS, *(check.id or check.kind or "accept_check" for check in listed)]
    spoken = {one.rule: one.message for one in decision.rules}
    failing = (
        [name for name in TODO_RESULTS if name in spoken] + [names[rule] for rule in ids if rule in spoken] + unsaid
    )
    accepted = not refused(decision) and not unsaid
    said = {name: spoken[name].partition(". ")[0] for name in TODO_RESULTS if name in spoken}
    said |= {names[rule]: spoken[rule].partition(": ")[0] for rule in ids if rule in spoken}
    wanted = case.expect.get("reason")
    return {
        "outcome": "accepted" if accepted else "failed",
        "stop_reason": decision.stop_reason or "accepted",
        "result_names": results,
        "result_count": len(results),
        "failing": failing,
        "passing": [name for name in results if name not in failing and name not in TODO_RESULTS],
        "reason": wanted if wanted in said.values() else sorted(said.values()),
        "reasons": list(said.values()),
        "summary": "acceptance checks passed" if accepted else "; ".join(f"{key}: {why}" for key, why in said.items()),
        "summary_contains": "; ".join(f"{key}: {why}" for key, why in said.items()),
    }


def _plan(plan: Any) -> dict[str, Any]:
    return {"plan": {"status": plan["status"], **moment(plan.get("created_at"))}} if plan else {}


def _alone(check: Check) -> str:
    one = {"id": check.id, "kind": check.kind, "target": check.target, "match": check.match}
    return migrate(
        "accept-checks", json.dumps([{**one, "required": check.required, "params": dict(check.params)}])
    ).policy_text


def _rules_of(text: str) -> list[str]:
    return [line.split()[1] for line in text.splitlines() if line.startswith("rule ")]


def command_norm(case: Case) -> Answer:
    """Whether a run of the command is evidence for its normal form; letter case counts here, as it must."""
    (command,) = case.take("command")
    if "$env:" in command.lower():
        raise Skip("lines of PowerShell are not read: what they run is undecided")
    words = {word.lower(): word for word in command.split()}
    wanted = case.expect.get("normalized", "")
    with Stage((PARSED,)) as stage:
        parsed = stage.tell("before_tool", tool=tool("bash", command=command)).rules[0].message
    if " ".join(part for part in parsed.split(", ") if part != "none").lower() == wanted:
        return {"normalized": wanted}
    target = " ".join(words.get(word, word) for word in wanted.split())
    check = {"kind": "command_success", "target": target, "match": "exact"}
    with Stage((migrate("accept-checks", json.dumps([check])).policy_text,)) as stage:
        replay_facts(stage, {"commands": [{"command": command, "ok": True}]})
        proved = not refused(stage.tell("before_completion", answer="done"))
    return {"normalized": wanted if proved else f"something else than `{target}`"}


def precheck(case: Case) -> Answer:
    """The last generation: text is there, and todos have converged."""
    text, todos, plan = case.take("text", "todos", "plan")
    decision = completion(text, [todo(one) for one in todos or ()], plan)
    return {"result_names": [*declared_rules("answer"), *declared_rules("gate")], **verdict(decision)}


def declared_rules(name: str) -> list[str]:
    """The rules of a file that can refuse a completion, in their order."""
    policy = loaded_from((f"{FOLDER}/{name}.policy",)).policy
    assert policy is not None
    return [rule.id for rule in policy.rules if rule.verdict in ("deny", "stop")]


def completion(text: str, todos: list[Any], plan: Any = None) -> Decision:
    """A proposal to finish under the whole policy, in a run that changed nothing."""
    with Stage((POLICY,)) as stage:
        stage.tell("prompt", prompt="Do it.")
        return stage.tell("before_completion", answer=text, todos=todos, **_plan(plan))


def verdict(decision: Decision) -> Answer:
    """Accepted, continued with a hint, or failed."""
    if not refused(decision):
        return {"outcome": "accepted", "stop_reason": "accepted", "summary": "acceptance prechecks passed"}
    hints = [one.message.partition(". ")[0] for one in decision.rules if one.verdict in ("deny", "ask", "stop")]
    outcome = "failed" if decision.verdict == "stop" else "continued"
    return {
        "outcome": outcome,
        "stop_reason": decision.stop_reason or "accept_continue",
        "summary": "; ".join(hints),
        "summary_contains": "; ".join(hints),
        "continue_hint": hints[0] if outcome == "continued" else "",
        "has_continue_hint": outcome == "continued",
        "continue_hint_contains": "; ".join(hints),
        "failing": [one.rule for one in decision.rules if one.verdict in ("deny", "ask", "stop")],
        "reason": hints[0],
    }


def unowned(case: Case) -> Answer:
    """Open required todos hold a run, with or without a plan; a new plan that drops them is told so."""
    if "old_plan" in case.given:
        return _amended(case)
    plan, text, todos = case.take("plan", "text", "todos")
    found = verdict(completion(text, [todo(one) for one in todos], plan))
    return {**found, SOUND: found["outcome"] in ("continued", "failed")}


def _amended(case: Case) -> Answer:
    _, todos, new = case.take("old_plan", "session_todos", "new_plan")
    kept = set(new["spec_todo_ids"])
    left = [{**todo(one), "status": "canceled"} for one in todos if one["id"] not in kept]
    with Stage((POLICY,)) as stage:
        listed = [*left, *({"id": name, "status": "pending"} for name in sorted(kept))]
        call = {"name": "todo_write", "kind": "todo", "args": {"action": "plan", "item_count": len(kept)}}
        told = stage.tell("after_tool", tool=call, result={"ok": True, "text": ""}, todos=listed)
    shown = [one.message for one in told.rules if one.rule == "canceled_without_replacement"]
    memory = {"current_plan_revision": new["revision"], "error_shown": bool(shown)}
    return {"in_memory": memory, "validating_store": {"save_error_contains": ""}, SOUND: bool(shown)}


def relative_path(case: Case) -> Answer:
    """A file is the same file by its absolute path, and another one in another letter case."""
    found = gate(case)
    return {**found, SOUND: found["outcome"] != case.expect["outcome"]}


def mention(case: Case) -> Answer:
    """A command that is only mentioned, or whose failure is swallowed, has not succeeded; one that did has."""
    found = gate(case)
    return {**found, SOUND: found["outcome"] != case.expect["outcome"]}


def plans(case: Case) -> Answer:
    """Every check is enforced, and those of a plan while it is in work."""
    count, _, plan, run = case.take("spec_verify_count", "summary_clamp", "plan", "run")
    if plan is None:
        raw = [{"kind": "command_success", "target": f"make check{number}"} for number in range(count)]
        found = judged(case, raw, {}, [], "done")
        return {"enforced": len(found["failing"]), SOUND: len(found["failing"]) == count}
    if not isinstance(run, str) or "no tools" not in run:
        raise UnknownShape(f"the run {run!r}")
    in_work = plan["status"] in ("draft", "approved")
    found = verdict(completion("You are welcome.", [])) if not in_work else judged(case, plan["verify"], {}, [], "ok")
    return {**found, SOUND: found["outcome"] == "accepted"}


AREAS = {
    "accept.gate": gate,
    "accept.normalize": normalised,
    "accept.legacy": normalised,
    "accept.command_norm": command_norm,
    "accept.precheck": precheck,
    "quirk.legacy": misread,
    "quirk.path": relative_path,
    "quirk.command": mention,
    "quirk.plan": plans,
    "quirk.todo": unowned,
}

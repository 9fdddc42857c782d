"""Todos: which calls of the tool are refused and why, which lists make no sense, and which todos a gate looks at."""

from __future__ import annotations

from typing import Any

from policy_engine.model.decision import Decision
from policy_engine.model.event_parts import TODO_STATES
from policy_engine.model.todo import Todo
from tools.seeds.base import Answer, Case, Skip, Stage, UnknownShape, loaded_from
from tools.seeds.neocode.words import FOLDER, POLICY, arguments, moment, refused, todo, tool

ALIASES = {"in-progress": "in_progress", "doing": "in_progress", "running": "in_progress", "done": "completed",
           "cancelled": "canceled", "cancel": "canceled", "todo": "pending", "open": "pending"}  # fmt: skip
STATUSES = ("pending", "in_progress", "blocked", "completed", "failed", "canceled")
RESULTS = {"complete": "completed", "fail": "failed", "claim": "in_progress"}
STORE = "fields of a todo are kept by the host's todo list; a policy judges the list that it is sent"


def call_of(raw: Any) -> dict[str, Any]:
    """A call of the tool as its host sends it: ids as text, statuses in one word, lists with their length."""
    args = dict(arguments(raw))
    if isinstance(args.get("id"), int):
        args["id"] = str(args["id"])
    if isinstance(args.get("status"), str):
        word = args["status"].strip().lower()
        args["status"] = ALIASES.get(word, word)
    if isinstance(args.get("items"), list):
        args["item_count"] = len(args["items"])
    items = [item for item in [args.get("item"), *(args.get("items") or ())] if isinstance(item, dict)]
    if any("title" in item for item in items):
        args["title"] = "in an item"
    lists = [len(value) for name, value in args.items() if isinstance(value, list) and name != "items"]
    return tool("todo_write", **args, **({"longest_list": max(lists)} if lists else {}))


def propose(raw: Any, todos: list[dict[str, Any]]) -> Decision:
    """What is said of a call against the list."""
    with Stage((POLICY,)) as stage:
        return stage.tell("before_tool", tool=call_of(raw), todos=todos)


def reason_code(decision: Decision) -> str:
    """The first of the rules that spoke, in the order of the policy, as its code; warnings after refusals."""
    policy = loaded_from((f"{FOLDER}/todos.policy",)).policy
    assert policy is not None
    spoke = {one.rule: one.verdict for one in decision.rules}
    order = [rule.id for rule in policy.rules if rule.id in spoke]
    refusing = [name for name in order if spoke[name] == "deny"]
    return (refusing or order or [""])[0].partition("-")[0]


def after(todos: list[dict[str, Any]]) -> list[str]:
    """What the agent is told of a list that a call has made."""
    with Stage((POLICY,)) as stage:
        decision = stage.tell("after_tool", tool=tool("todo_write"), result={"ok": True, "text": ""}, todos=todos)
    return [one.message for one in decision.rules if one.verdict == "remind"]


def transition(source: str, target: str) -> bool:
    """Whether a todo may go from one status to another."""
    args = {"action": "set_status", "id": "todo", "status": target}
    return not refused(propose(args, [{"id": "todo", "status": source}]))


def state(case: Case) -> Answer:
    """The shapes of cases about single todos and lists."""
    for key, answer in SHAPES.items():
        if key in case.given:
            return answer(case)
    raise UnknownShape(f"`given` has {', '.join(sorted(case.given))}")


def _from_to(case: Case) -> Answer:
    source, target = case.take("from", "to")
    return {"allowed": transition(source, target)}


def _patches(case: Case) -> Answer:
    (patches,) = case.take("patches")
    return {"allowed": [transition(source, target) for source, target in patches]}


def _statuses(case: Case) -> Answer:
    (statuses,) = case.take("statuses")
    if "statuses" in case.expect:
        raise Skip(STORE)
    if "valid" in case.expect:
        return {"valid": [one in TODO_STATES for one in statuses]}
    others = {status: [one for one in STATUSES if one != status] for status in statuses}
    return {"terminal": [not any(transition(one, other) for other in others[one]) for one in statuses]}


def _operations(case: Case) -> Answer:
    """A list that a host changes as far as it may: each change is another revision."""
    ops, raw = case.take("ops", "todo")
    if raw is not None or any(not isinstance(op, list) for op in ops):
        raise Skip(STORE)
    listed: dict[str, dict[str, Any]] = {}
    results: list[str] = []
    for op in ops:
        args, more = _arguments(op)
        name, action = args["id"], args["action"]
        decision = propose(args, list(listed.values()))
        results.append(reason_code(decision) if refused(decision) else "ok")
        if refused(decision):
            continue
        if action == "remove":
            listed.pop(name)
            continue
        before = listed.get(name, {"id": name, "status": "pending", "revision": 0, **more})
        status = args.get("status") or RESULTS.get(action, before["status"])
        listed[name] = {**before, "status": status, "revision": before["revision"] + 1}
    last = listed.get(_arguments(ops[-1])[0]["id"], {})
    return {"results": results, "revision": last.get("revision"), "status": last.get("status"), "todos": list(listed)}


def _arguments(op: list[Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """`[action, id or todo, status, revision, {more}]` as a call of the tool, and the todo if it is all there."""
    action, named, *rest = op
    one = todo(named) if isinstance(named, dict) else {"id": named}
    args = {"action": {"delete": "remove"}.get(action, action), "id": one["id"]}
    for part in rest:
        if isinstance(part, dict):
            args |= part
        elif isinstance(part, str):
            args["status"] = part
        elif isinstance(part, int):
            args["expected_revision"] = part
        else:
            raise UnknownShape(f"the operation {op!r}")
    return args, one if isinstance(named, dict) else {}


def _operation(case: Case) -> Answer:
    todos, op = case.take("todos", "op")
    decision = propose(_arguments(op)[0], [todo(one) for one in todos])
    return {"error": reason_code(decision) if refused(decision) else "", "allowed": not refused(decision)}


def _list(case: Case) -> Answer:
    key = "replace" if "replace" in case.given else "add"
    listed, before = case.take(key, "todos")
    if not listed:
        empty = propose({"action": "plan", "items": []}, [])
        return {"error": refused(empty), "error_contains": "\n".join(one.message for one in empty.rules)}
    told = after([*(todo(one) for one in before or ()), *map(todo, listed)])
    return {"error": bool(told), "error_contains": "\n".join(told), "errors": told}


def _blocked_reason(case: Case) -> Answer:
    (raw, status) = case.take("blocked_reason", "status")
    one = {"id": "todo", "status": status, "blocked_reason": raw}
    if after([one]):
        return {"error": True}
    return {"error": False, "blocked_reason": Todo(one).blocked_reason}


def _json(case: Case) -> Answer:
    (listed,) = case.take("json")
    found = [Todo({"title": one["content"], **{key: value for key, value in one.items() if key != "content"}})
             for one in listed]  # fmt: skip
    return {
        "required": [one.required for one in found],
        "blocked_reason": [one.blocked_reason for one in found],
        "statuses": [one.status for one in found],
    }


def _todo(case: Case) -> Answer:
    raise Skip(STORE)


SHAPES = {
    "from": _from_to, "patches": _patches, "statuses": _statuses, "ops": _operations, "op": _operation,
    "replace": _list, "add": _list, "blocked_reason": _blocked_reason, "json": _json, "todo": _todo,
}  # fmt: skip


def called(case: Case) -> Answer:
    """A call of the tool against a list."""
    todos, raw, limits = case.take("todos", "args", "limits")
    listed = [todo(one) for one in todos or ()]
    if isinstance(raw, list):
        codes = {reason_code(propose(_in_words(one, limits or {}), [{"id": "a"}])) for one in raw}
        return {"reason_code": codes.pop() if len(codes) == 1 else sorted(codes), "error": True}
    decision = propose(raw, listed)
    code = reason_code(decision)
    error = refused(decision)
    text = "\n".join(one.message for one in decision.rules)
    active = [one["id"] for one in listed if one["status"] not in ("completed", "failed", "canceled")]
    action, spoke = arguments(raw).get("action"), {one.rule for one in decision.rules}
    status = next((one["status"] for one in listed if one["id"] == str(arguments(raw).get("id"))), "")
    steps = [status, "in_progress", "completed"] if "auto_claimed" in spoke else [status, RESULTS.get(str(action), "")]
    events = ["todo_conflict"] if error else ["todo_updated"]
    return {
        "error": error,
        "reason_code": code if error or code in ("terminal_noop", "terminal_failure") else "",
        "auto_claimed": "auto_claimed" in spoke,
        "transition_path": steps,
        "state_fact": "" if error else f"todo_{RESULTS.get(str(action), 'updated')}",
        "no_op": "terminal_noop" in spoke,
        "terminal_failure": "terminal_failure" in spoke,
        "do_not_retry": "do_not_retry" in text,
        "todo_count": len(listed),
        "active_todo_ids": [one for one in active if one in text] if error else active,
        "text_mentions": text,
        "text_contains": text,
        "events": [*events, "todo_snapshot_updated"],
        "not_events": [*events, "todo_snapshot_updated"],
        **_current(error, code, listed, raw),
    }


def _current(error: bool, code: str, listed: list[dict[str, Any]], raw: Any) -> dict[str, Any]:
    if not error or code != "revision_conflict":
        return {}
    one = next(item for item in listed if item["id"] == str(arguments(raw)["id"]))
    return {"current_revision": one.get("revision", 1), "current_status": one["status"]}


def _in_words(said: str, limits: dict[str, int]) -> dict[str, Any]:
    base = {"action": "add", "id": "b", "content": "x"}
    if said.startswith("expected_revision="):
        return {"action": "update", "id": "a", "expected_revision": int(said.partition("=")[2])}
    if said.startswith("content of limit+1"):
        return {**base, "content": "x" * (limits["text"] + 1)}
    if said == "limit+1 items":
        return {"action": "plan", "items": [base] * (limits["items"] + 1)}
    if said.startswith("limit+1 "):
        return {**base, said.partition(" ")[2]: ["x"] * (limits["list_items"] + 1)}
    raise UnknownShape(f"the arguments {said!r}")


def _owned(plan: Any, one: dict[str, Any]) -> dict[str, Any]:
    names = [*(plan or {}).get("spec_todo_ids", ()), *(plan or {}).get("active_todo_ids", ())]
    return todo(one, one["id"] in names)


def selection(case: Case) -> Answer:
    """Which todos the gate looks at."""
    plan, todos = case.take("plan", "todos")
    told = {"plan": {"status": plan.get("status", "approved"), **moment(plan.get("created_at"))}} if plan else {}
    selected = []
    for one in todos:
        with Stage((POLICY,)) as stage:
            decision = stage.tell("before_completion", answer="done", todos=[_owned(plan, one)], **told)
        if any(result.rule == "selected_todo" for result in decision.shadow):
            selected.append(one["id"])
    return {"selected": selected}


def boundary(case: Case) -> Answer:
    """What a new prompt makes of the todos of an earlier run."""
    if "plan_status" in case.given:
        (status,) = case.take("plan_status")
        told = _at_prompt({"status": status} if status else None, [{"id": "todo"}])
        return {"reset": "new_user_run" in told}
    plan, todos = case.take("plan", "todos")
    found = {one["id"]: _at_prompt(plan, [one]) for one in todos}
    gone = {rule for rules in found.values() for rule in rules}
    return {"todos": [name for name, rules in found.items() if not rules], "reason": next(iter(sorted(gone)), "")}


def _at_prompt(plan: Any, todos: list[dict[str, Any]]) -> list[str]:
    told = {"plan": {"status": plan["status"], **moment(plan.get("created_at"))}} if plan else {}
    with Stage((POLICY,)) as stage:
        decision = stage.tell("prompt", prompt="Go on.", todos=[_owned(plan, one) for one in todos], **told)
    return [one.rule for one in decision.rules if one.rule in ("new_user_run", "plan_owned_prune")]


def bootstrap(case: Case) -> Answer:
    """Whether the agent is told to make a list."""
    mode, planning, goal, status, todos = case.take("mode", "planning", "goal", "plan_status", "todos")
    told = {"plan": {"status": status}} if status else {}
    listed = [{"id": f"t{number}"} for number in range(todos or 0)]
    agent = {"kind": "main", "name": mode if planning else f"{mode} without planning"}
    with Stage((POLICY,)) as stage:
        decision = stage.tell("prompt", prompt=goal or "Do it.", todos=listed, agent=agent, **told)
    return {"inject": any(one.rule == "todo_bootstrap_required" for one in decision.rules)}


def snapshot(case: Case) -> Answer:
    """What rules see of the reasons for which todos wait."""
    (todos,) = case.take("todos")
    return {"blocked_reason": {one["id"]: Todo(todo(one)).blocked_reason for one in todos}}


AREAS = {
    "todo.state": state,
    "todo.tool": called,
    "todo.gate_selection": selection,
    "todo.run_boundary": boundary,
    "todo.bootstrap": bootstrap,
    "todo.snapshot": snapshot,
}

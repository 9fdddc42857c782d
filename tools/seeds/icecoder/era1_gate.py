"""Era 1: the round in which the model stops, its counter, and what is still to do."""

from __future__ import annotations

from typing import Any

from policy_engine.runtime.loop import Loop
from policy_engine.runtime.turns import Turn
from tools.seeds.base import Area, UnknownShape
from tools.seeds.icecoder.host import Given, Host, Mapping, areas, refused, shaped

GATE = "compat/icecoder/e1-gate"
BUDGET = "compat/icecoder/e1-budget"
CHAIN = ["npm ci", "npm test", "npm run build", "npm run test:e2e"]
LIST = "Implement the whole game from an empty folder; finish only after all of the commands have succeeded, in order."
BOUNCES = 5
OWED = """\
rule owed-{n} "One thing to do" {{
  on before_completion
  when tool_fact("owed", "{n}") and not tool_fact("met", "{n}")
  deny "{n} is open."
}}
"""
_STATES = ("required", "passed", "failed", "not_required")


def prepared(given: Given) -> Host:
    """The situation in which the model stops: what changed, how the tests went, what the host says of itself."""
    host = Host(GATE)
    acceptance = given.get("acceptance")
    if acceptance not in (None, "incomplete", "complete"):
        raise UnknownShape(f"acceptance `{acceptance}`")
    host.prompt(LIST if acceptance else given.get("goal", "fix the bug"), CHAIN if acceptance else [])
    if acceptance == "complete":
        for command in CHAIN:
            host.run(command)
    facts: Given = {key: given[key] for key in ("intent", "graph") if key in given}
    if "tools" in given:
        facts["run_command_offered"] = "run_command" in given["tools"]
    host.facts(**facts)
    _tested(host, given)
    if given.get("any_tool_called"):
        host.result("list_dir", {}, True)
    return host


def _tested(host: Host, given: Given) -> None:
    status = given.get("status", "not_required")
    files: list[str] = given.get("changed") or given.get("files_changed") or []
    if status not in _STATES:
        raise UnknownShape(f"status `{status}`")
    for path in files:
        host.write(path)
    if status in ("passed", "failed"):
        host.run("npm test", status == "passed")
    if given.get("reminder_already_sent"):
        host.finish()


def stop_round(given: Given, expect: Given) -> Given:
    shaped(given, "", "changed status tools gate_counter acceptance stop_attempts_without_progress intent text"
           " any_tool_called reminder_already_sent goal graph")  # fmt: skip
    host = prepared(given)
    if "stop_attempts_without_progress" in given:
        return _attempts(host, given["stop_attempts_without_progress"])
    for _ in range(given.get("gate_counter", 0)):
        host.finish(given.get("text", "done"))
    decision = host.finish(given.get("text", "done"))
    spoken = [one.rule for one in decision.rules]
    again = refused(decision)
    waived = "e1-waived" in spoken and not again
    said = host.round()
    status = next((one for one in _STATES if f"e1-status-{one}" in said), "not_required")
    reason = spoken[0].removeprefix("e1-").replace("-", "_") if again else decision.stop_reason or "model_done"
    bounces = given.get("gate_counter", 0) + 1 if again else 0
    return {
        "action": "continue" if again else "stop",
        "reason": reason,
        "hook_runs": spoken.count("e1-promise"),
        "status_after": "not_required" if waived else status,
        "gate_counter": bounces,
    }


def _attempts(host: Host, attempts: int) -> Given:
    """A model that only ever says that it is done, in the reference loop."""
    decisions: list[Any] = []

    def hear(name: str, payload: dict[str, Any]) -> None:
        if name == "before_completion":
            decisions.append(payload["decision"])

    loop = Loop(host.engine, lambda messages: Turn("All done."), {}, host.session, host.workspace, attempts, tell=hear)
    run = loop.run("go on")
    louder = [
        number for number, one in enumerate(decisions, 1) if any(r.rule == "completion-budget" for r in one.rules)
    ]
    return {"continues": sum(map(refused, decisions)), "extra_prompt_on": louder[0] if louder else None,
            "final_reason": run.reason}  # fmt: skip


def gate_counter(given: Given, expect: Given) -> Given:
    """One rule for each thing to do; what was done between two stops, the engine's own budget sees."""
    shaped(given, "pending_before pending_after blocking_after", "acceptance_before acceptance_after counter")
    before = _things(given, "before") | {"gate"}
    after = (_things(given, "after") | {"gate"}) if given["blocking_after"] else set()
    host = Host(BUDGET, "language 1\n" + "".join(OWED.format(n=name) for name in sorted(before | after | {"later"})))
    _owe(host, before)
    counter = given.get("counter", 1)
    for _ in range(counter):
        host.finish()
    _owe(host, after - before)
    for name in before - after:
        host.facts(met=name)
    if not after:
        host.finish()
        _owe(host, {"later"})
    more = 0
    while refused(host.finish()):
        more += 1
    now = BOUNCES - more
    return {"reset": now < counter, "counter": now}


def _things(given: Given, when: str) -> set[str]:
    files, commands = given[f"pending_{when}"], given.get(f"acceptance_{when}", 0)
    return {f"file-{n}" for n in range(files)} | {f"command-{n}" for n in range(commands)}


def _owe(host: Host, names: set[str]) -> None:
    for name in sorted(names):
        host.facts(owed=name)


def graph_stop(given: Given, expect: Given) -> Given:
    shaped(given, "graph", "changed status tools acceptance goal intent")
    decision = prepared(given).finish()
    return {"stop": None if refused(decision) else decision.stop_reason or "model_done"}


def stop_hook_text(given: Given, expect: Given) -> Given:
    shaped(given, "text", "intent goal")
    decision = prepared(given).finish(given["text"])
    return {"bounce": any(one.rule == "e1-promise" for one in decision.rules)}


def pending_work(given: Given, expect: Given) -> Given:
    shaped(given, "", "changed status goal intent acceptance graph files_changed tools")
    return {"pending": "e1-pending-work" in prepared(given).round()}


def continuation_prompt(given: Given, expect: Given) -> Given:
    shaped(given, "", "changed status goal intent acceptance graph files_changed tools")
    text = "\n".join(one.message for one in prepared(given).finish().rules)
    return {"mentions": [one for one in expect.get("mentions", []) if one in text], "not_mentions": text}


def unfulfilled_goal(given: Given, expect: Given) -> Given:
    shaped(given, "goal files_changed intent")
    return {"unfulfilled": any(one.rule == "e1-file-goal" for one in prepared(given).finish().rules)}


MAPPINGS: dict[str, Mapping] = {
    "e1.stop_round": stop_round,
    "e1.gate_counter": gate_counter,
    "e1.graph_stop": graph_stop,
    "e1.stop_hook_text": stop_hook_text,
    "e1.pending_work": pending_work,
    "e1.continuation_prompt": continuation_prompt,
    "e1.unfulfilled_goal": unfulfilled_goal,
}
AREAS: dict[str, Area] = areas(MAPPINGS)

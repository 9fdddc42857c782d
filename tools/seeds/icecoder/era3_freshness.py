"""Era 3: whether the last verification still counts, and what ordinary rounds have shown of a plan."""

from __future__ import annotations

from tools.seeds.base import Area, UnknownShape
from tools.seeds.icecoder.host import Given, Host, Mapping, areas, shaped
from tools.seeds.icecoder.player import RESULT, STOP, Player, declared, on_disk

PLAN = "compat/icecoder/e3-plan"
FRESH = """\
verify {name} "A plan" {{
  when tool_fact("never")
  stage {name}-run run ["true"]
}}
rule fresh-{name} "The last result passed, and nothing changed since" {{
  on after_round
  when verified({name}) and verified({name}) since wrote("**") and limit.red-{name}.count == 0
  warn "fresh"
}}
limit red-{name} "Red since the last pass" {{
  on after_verification
  when verification.name == "{name}"
  counts not verification.passed
  reset on verification.passed
  at 1 warn "red"
}}
"""
_BACKGROUND: dict[str, tuple[Given, str]] = {
    "background_start": ({}, '{"mode": "background"}'),
    "background_running": ({"action": "check"}, '{"status": "running"}'),
    "background_completed": ({"action": "check"}, '{"status": "completed", "exitCode": 0}'),
    "background_failed": ({"action": "check"}, '{"status": "failed"}'),
}


def freshness(given: Given, expect: Given) -> Given:
    if "mirror_version" in given:
        return _restored(given)
    if "consume" in given:
        return _consumed(given)
    shaped(given, "ops", "plan")
    names = sorted({one.partition(":")[2] for one in given["ops"] if ":" in one} | {given.get("plan", "A")})
    host = Host(STOP, "language 1\n" + "".join(FRESH.format(name=f"plan-{one.lower()}") for one in names))
    last = None
    for number, op in enumerate(given["ops"]):
        word, _, name = op.partition(":")
        if word == "mutate":
            host.write(f"src/{number}.ts")
        elif word in ("pass", "fail"):
            last = _verified(host, f"plan-{name.lower()}", word == "pass")
        else:
            raise UnknownShape(f"an operation `{op}`")
    said = host.round()
    return {"fresh": f"fresh-plan-{given.get('plan', 'A').lower()}" in said, "last_status": last}


def _verified(host: Host, name: str, passed: bool) -> str:
    """A pipeline that ran, as the events around it tell; what the policy says of it."""
    host.ask("before_verification", verification={"name": name})
    stage = {"stage": f"{name}-run", "outcome": "passed" if passed else "failed", "exit_code": 0 if passed else 1}
    said = host.said("after_verification", verification={"name": name, "passed": passed, "stages": [stage]})
    return next(text for rule, text in said.items() if rule.startswith(RESULT))


def _restored(given: Given) -> Given:
    """There is one owner of the past; where events are missing in it, nothing is proved."""
    shaped(given, "mirror_version authoritative_version")
    host = Host(STOP, "language 1\n" + FRESH.format(name="plan-a"))
    for number in range(given["authoritative_version"]):
        host.write(f"src/{number}.ts")
    _verified(host, "plan-a", True)
    for _ in range(given["authoritative_version"], given["mirror_version"]):
        host.engine.decide({"hook": "after_tool", "session": host.session, "tool": "not an event"})
    decision = host.ask("after_round")
    fresh = any(one.rule == "fresh-plan-a" and one.outcome == "violated" for one in decision.rules)
    return {"fresh": fresh, "verified": "plan-a" if fresh else None}


def _consumed(given: Given) -> Given:
    """Each continuation that is asked for is a stop with the verification red."""
    with on_disk("language 1\n" + declared(["npm test"]), Player(["exit 1"])) as host:
        host.prompt("the task")
        host.facts(plan="user")
        verdicts = [host.finish().verdict == "deny" for _ in shaped(given, "consume")["consume"]]
    return {"results": verdicts, "count": sum(verdicts)}


def progress(given: Given, expect: Given) -> Given:
    shaped(given, "plan", "run runs events")
    host, plan = Host(PLAN), given["plan"]
    host.prompt("", plan)
    for run in given.get("runs", [given["run"]] if "run" in given else []):
        shaped(run, "command ok", "exit_code")
        host.run(run["command"], run["ok"], exit_code=run.get("exit_code", 0 if run["ok"] else 1))
    for event in given.get("events", []):
        _happen(host, plan[0], event)
    passed = [one for one in plan if "e3-progress" in host.said("after_round", goal={"text": "", "commands": [one]})]
    all_passed = "e3-all-passed" in host.said("after_round", goal={"text": "", "commands": plan})
    wanted = expect.get("matched", expect.get("progress", []))
    shown = [plan.index(one) for one in passed] if wanted and isinstance(wanted[0], int) else passed
    return {"matched": shown, "progress": shown, "all_passed": all_passed}


def _happen(host: Host, command: str, event: str | Given) -> None:
    """A word about the first command of the plan, a run, or a change of the workspace."""
    if not isinstance(event, str):
        run = shaped(event, "", "run command ok exit_code")
        code = run.get("exit_code", 0 if run.get("ok", True) else 1)
        host.run(run.get("command") or run["run"], code == 0, exit_code=code)
    elif event.split()[0] in ("mutate", "write", "edit"):
        host.write("src/changed.ts")
    elif event in _BACKGROUND:
        args, text = _BACKGROUND[event]
        host.result("run_command", {"command": command, **args}, True, text)
    else:
        raise UnknownShape(f"an event `{event}`")


MAPPINGS: dict[str, Mapping] = {"e3.freshness": freshness, "e3.progress": progress}
AREAS: dict[str, Area] = areas(MAPPINGS)

"""Era 3: the verification at the stop, and how the run ends."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from policy_engine.model.decision import Decision
from policy_engine.model.ladder import RANK
from policy_engine.runtime.loop import Loop
from policy_engine.runtime.turns import Call, Turn
from tools.seeds.base import Area, UnknownShape
from tools.seeds.icecoder.host import Given, Host, Mapping, areas, reported, shaped
from tools.seeds.icecoder.player import RESULT, Player, declared, on_disk
from tools.seeds.icecoder.words import todo_of

USER_PLAN = ("npm test", "npm run lint")
GOALS = {"user": "Acceptance: `npm test`, `npm run lint`.", "invalid": "Acceptance: `bad\ncommand`."}
UNLESS_GREEN = """when has answer
  unless every c in goal.commands { command_success(c) and command_success(c) since wrote("**") }"""
_SAID = {
    "failed": ("failed", "failed"), "timed_out": ("unavailable", "timeout"), "not_started": ("unavailable", "blocked"),
    "pending": ("pending", None), "cancelled": ("aborted", None),
}  # fmt: skip
_ENDS = {
    "completion_paused": "paused", "completion_failed": "failed", "completion_unverified": "completed_unverified",
    "user_interrupt": "interrupted", "accepted": "completed",
}  # fmt: skip


def _status(decision: Decision) -> tuple[str, str | None]:
    """What the rules said of the verification; a green one that refuses all the same has changed what it checked."""
    said = {one.rule: one.message for one in decision.rules}
    if f"{RESULT}not-passed" in said:
        return _SAID[said[f"{RESULT}not-passed"]]
    if f"{RESULT}passed" not in said:
        return "", None
    return ("unavailable", "workspace_mutated") if RANK[decision.verdict] >= RANK["ask"] else ("passed", None)


def stop_exec(given: Given, expect: Given) -> Given:
    shaped(given, "plan", "results mutates poll_ms")
    player = Player(given.get("results", []), given.get("poll_ms", 0), tuple(given.get("mutates", ())))
    with on_disk("language 1\n" + declared(given["plan"]), player) as host:
        host.prompt("the task")
        host.facts(plan="user")
        for _ in range(max(len(player.results), 1)):
            decision = host.finish()
            status, reason = _status(decision)
            if status != "pending":
                break
        fresh = "fresh-plan" in host.round()
    seen: Given = {}
    for one in decision.rules:
        for _, values in one.because if one.rule == "plan" else ():
            seen |= values
    return {
        "status": status,
        "reason": reason,
        "fresh": fresh,
        "calls": len(player.calls),
        "commands": player.calls,
        "command": seen.get("command"),
        "failed_command": seen.get("command"),
        "exit_code": seen.get("exit_code"),
    }


class Model:
    """A model that edits, runs what it should run, and then says that it is done, whatever it reads."""

    def __init__(self, edits: int, command: str) -> None:
        self.turns = 0
        calls = [Call(f"e{n}", "edit_file", "edit", {"file_path": f"src/{n}.ts", "old_string": "", "new_string": "x"})
                 for n in range(edits)]  # fmt: skip
        calls += [Call("r", "run_command", "shell", {"command": command})] if command else []
        self._calls = tuple(calls)

    def __call__(self, messages: list[dict[str, str]]) -> Turn:
        self.turns += 1
        return Turn("", self._calls) if self.turns == 1 and self._calls else Turn("All done.")


def stop_loop(given: Given, expect: Given) -> Given:
    shaped(given, "", "plan edits results ordinary_run resume then_add_lockfile mutates intent op abort")
    plan = given.get("plan", "runtime_default")
    if plan not in ("runtime_default", "user", "invalid", "none"):
        raise UnknownShape(f"a plan `{plan}`")
    player = Player(given.get("results", []), -1, tuple(given.get("mutates", ())))
    files = {"package.json": '{"scripts": {"test": "vitest run"}}'} if plan == "runtime_default" else {}
    text = declared(list(USER_PLAN), UNLESS_GREEN) if plan == "user" else ""
    with on_disk("language 1\n" + text, player, files) as host:
        return _played(host, given, plan, player)


def _played(host: Host, given: Given, plan: str, player: Player) -> Given:
    goal = {"user": "Acceptance: `npm test`, `npm run lint`.", "invalid": "Acceptance: `bad\ncommand`."}.get(
        plan, "Fix it."
    )
    host.prompt(goal)
    facts = {"intent": given["intent"]} if "intent" in given else {}
    host.facts(**facts, **({"plan": "user"} if plan == "user" else {}))
    if "op" in given:
        host.ask("after_compact", todos=[todo_of(given["op"], 0)])
    ordinary = given.get("ordinary_run", "")
    model = Model(given.get("edits", 1 if plan == "runtime_default" or "results" in given else 0), ordinary)
    got = _run(host, model)
    if given.get("resume"):
        host.ask("session_start", source="resume")
        got = _run(host, Model(0, ""))
        if given.get("then_add_lockfile"):
            Path(host.workspace, given["then_add_lockfile"]).write_text("", "utf-8")
            got = _run(host, Model(0, ""))
    runs = ([ordinary] if ordinary else []) + player.calls
    return {**got, "commands_run": len(runs), "runs": runs, "model_calls": model.turns}


def _run(host: Host, model: Model) -> Given:
    """One run of the reference loop, and how it ended in the words of the era."""
    decisions: list[Decision] = []

    def hear(name: str, payload: dict[str, Any]) -> None:
        if name == "before_completion":
            decisions.append(payload["decision"])

    def edit(call: Call, seconds: float | None) -> dict[str, Any]:
        path = Path(host.workspace, call.args["file_path"])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x", "utf-8")
        return {"result": {"ok": True, "text": "edited", "status": "completed"}}

    def shell(call: Call, seconds: float | None) -> dict[str, Any]:
        return {"result": {"ok": True, "text": "", "status": "completed", **reported(call.args, "", True)}}

    loop = Loop(
        host.engine, model, {"edit_file": edit, "run_command": shell}, host.session, host.workspace, 9, tell=hear
    )
    run = loop.run("go on")
    status, reason = _ended(run.reason, decisions)
    return {"status": status, "reason": reason, "continuations": sum(one.verdict == "deny" for one in decisions)}


def _ended(stop: str, decisions: list[Decision]) -> tuple[str, str]:
    status = _ENDS.get(stop, stop)
    if not decisions or status == "interrupted":
        return status, "user_abort" if status == "interrupted" else "model_done"
    spoken = [one.rule for one in decisions[-1].rules]
    hard = sorted(rule for rule in spoken if rule[:3] == "e3-" and rule[3:4].isdigit())
    if hard:
        return status, hard[0][5:].removesuffix("-write").removesuffix("-execution").replace("-", "_")
    if f"{RESULT}plan-unavailable" in spoken:
        return "completed_unverified", "verification_plan_unavailable"
    result, reason = _status(decisions[-1])
    if status == "completed" and result not in ("passed", ""):
        status = "completed_unverified"
    return status, f"verification_{reason or result}" if result else "model_done"


MAPPINGS: dict[str, Mapping] = {
    "e3.stop_exec": stop_exec,
    "e3.stop_loop": stop_loop,
}
AREAS: dict[str, Area] = areas(MAPPINGS)

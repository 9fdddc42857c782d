"""Observed defects of iceCoder: ours must not do the same. By the shape of what was done."""

from __future__ import annotations

from collections.abc import Callable

from policy_engine.model.decision import Decision
from policy_engine.model.ladder import RANK
from tools.seeds.base import SOUND, Area, Case, UnknownShape
from tools.seeds.icecoder.host import Given, Host
from tools.seeds.icecoder.words import changed, happen, status

GATE = "compat/icecoder/e1-gate"
PLAN = "compat/icecoder/e3-plan"
BETTER = "acceptance/goal-commands"
TESTED = "acceptance/tests-after-change"
LIST = "Implement the whole game; finish only after `npm ci` → `npm test` → `npm run build` have every one succeeded."


def pitfall(case: Case) -> Given:
    """What ours does, in one sentence, and whether it is sound."""
    shape = " ".join(sorted(case.given))
    if shape not in SHAPES:
        raise UnknownShape(f"a pitfall with `{shape}`")
    says, sound = SHAPES[shape](case.given)
    return {"source_behaviour": f"ours does not: {says}", "sound_behaviour": f"ours: {says}", SOUND: sound}


def credited(goal: str, commands: list[str], steps: list[tuple[str, str]]) -> list[str]:
    """The commands that count as passed after some steps, under the policy that we recommend."""
    host = Host(BETTER)
    host.prompt(goal, commands or None)
    for word, subject in steps:
        _step(host, word, subject)
    return [one for one in commands or demanded(goal) if RANK[_about(host, goal, one).verdict] < RANK["ask"]]


def demanded(goal: str) -> list[str]:
    """What the goal demands."""
    host = Host("compat/icecoder/e2-gate")
    host.prompt(goal)
    return [one for one in host.round().get("e2-conditions", "").split(", ") if one]


def _about(host: Host, goal: str, command: str) -> Decision:
    return host.finish(goal={"text": goal, "commands": [command]})


def _step(host: Host, word: str, subject: str) -> None:
    match word:
        case "pass" | "run":
            host.run(subject)
        case "fail":
            host.run(subject, False)
        case "blocked" | "block" | "denied":
            host.result("run_command", {"command": subject}, False, status="blocked")
        case "edit" | "write":
            host.write(subject, "edit_file")
        case _:
            raise UnknownShape(f"a step `{word}`")


def _goal_run(given: Given) -> tuple[str, bool]:
    run = given["run"]
    found = credited(given["goal"], [], [("pass" if run.get("ok", True) else "fail", run["command"])])
    return f"credited {found}", bool(demanded(given["goal"])) and not found


def _goal_events(given: Given) -> tuple[str, bool]:
    """A command is credited from its pass to its failure or the next change; not having run says nothing."""
    steps = [_words(one) for one in given["events"]]
    wanted: set[str] = set()
    for word, subject in steps:
        match word:
            case "pass":
                wanted.add(subject)
            case "fail":
                wanted.discard(subject)
            case "edit" | "write":
                wanted.clear()
    wanted &= set(demanded(given["goal"]))
    found, first = credited(given["goal"], [], steps), credited(given["goal"], [], steps[:1])
    return f"credited {first}, then {found}", set(found) == wanted and (bool(first) or steps[0][0] != "pass")


def _words(event: str | Given) -> tuple[str, str]:
    if isinstance(event, str):
        word, _, subject = event.partition(" ")
        return word, subject
    if "run" in event:
        return ("pass" if event.get("ok", True) else "fail"), event["run"]
    if event.get("tool") in ("edit_file", "write_file"):
        return "edit", event["path"]
    if event.get("tool") == "run_command":
        return ("pass" if event.get("ok", True) else "fail"), event["command"]
    raise UnknownShape(f"an event {event!r}")


def _goal_command_run(given: Given) -> tuple[str, bool]:
    found = credited("the task", [given["goal_command"]], [("run", given["run"])])
    direct = credited("the task", [given["goal_command"]], [("run", given["goal_command"])])
    return f"credited {found}, and by itself {direct}", bool(direct) and not found


def _round(given: Given) -> tuple[str, bool]:
    """Facts come first: what the round did is in the very answer to it."""
    if given["round"] != "acceptance item passes":
        raise UnknownShape(f"a round in which {given['round']}")
    host = Host(GATE)
    host.prompt(LIST, demanded(LIST))
    before, during = host.round().get("e1-active", ""), host.run("npm test").get("e1-passed-now", "")
    return f"{before} before; {during}", before == "0/3" and "(1/3 passed)" in during


def _events(given: Given) -> tuple[str, bool]:
    """The change set is what is there, and code in it is asked for until all of its tests have run."""
    host, better = Host(GATE), Host(TESTED)
    for one in (host, better):
        one.prompt("fix the bug", [])
        for event in given["events"]:
            happen(one, event)
    there = sorted(path.removeprefix(f"{host.workspace}/") for path in host.world.files)
    said, files = host.round(), changed(host)
    asked = RANK[better.finish().verdict] >= RANK["ask"]
    sound = files == there and (asked or "e1-kind-engineering" not in said)
    return f"{status(said)}, changed {files}, tests asked for: {asked}", sound


def _command(given: Given) -> tuple[str, bool]:
    edit, run = {"tool": "edit_file", "path": "src/a.ts", "ok": True}, {"tool": "run_command", "ok": True}
    return _events({"events": [edit, {**run, "command": given["command"]}]})


def _commands(given: Given) -> tuple[str, bool]:
    names = [Host(PLAN).propose("run_command", command=one)["e3-key"] for one in given["commands"]]
    return f"named {names}", len(set(names)) == len(names)


def _file_goal(given: Given) -> tuple[str, bool]:
    host = Host(GATE)
    host.prompt(given["goal"], [])
    spoken = [one.rule for one in host.finish().rules]
    return f"said {spoken}", "e1-file-goal" not in spoken


SHAPES: dict[str, Callable[[Given], tuple[str, bool]]] = {
    "goal run": _goal_run,
    "events goal": _goal_events,
    "goal_command run": _goal_command_run,
    "round": _round,
    "events": _events,
    "command": _command,
    "commands": _commands,
    "goal": _file_goal,
    "files_changed goal intent": _file_goal,
}
"""Keys of `given`, sorted → what is done with them."""

AREAS: dict[str, Area] = {"pitfall": pitfall}

"""Era 1: the goal's commands, their names and states, and what is said about them."""

from __future__ import annotations

import json
from typing import Any

from tools.seeds.base import Area, Skip, UnknownShape
from tools.seeds.icecoder.host import Given, Host, Mapping, areas, reported, shaped, with_command

COMMANDS = "compat/icecoder/e1-commands"
GATE = "compat/icecoder/e1-gate"
VERIFICATION = "compat/icecoder/e1-verification"
RESULTS = "compat/icecoder/results"
KEY = "e1-key-"
_KINDS = ("foreground", "background-start", "background-running", "background-completed", "background-failed")


def parse_goal(given: Given, expect: Given) -> Given:
    """The commands that the goal demands are those that the era keeps of `goal.commands`, one rule each."""
    goal = shaped(given, "goal")["goal"]
    if "`" not in goal and "→" in goal and not demanded(goal):
        raise Skip("commands in prose, outside of code spans: our reader of goals takes none there, on purpose")
    return {"commands": demanded(goal)}


def demanded(goal: str) -> list[str]:
    """What the era reads from a goal, as the policy says it; of a list only what it keeps."""
    host = Host(COMMANDS)
    host.prompt(goal)
    said = host.round()
    listed = [one for one in said.get("e1-demands-listed", "").split(", ") if one]
    kept = [one for one in listed if "e1-keeps" in host.said("after_round", goal={"text": goal, "commands": [one]})]
    return [text for rule, text in said.items() if rule[len("e1-demands-") :].isdigit()] + kept


def started(given: Given, policy: str = GATE) -> tuple[Host, list[str]]:
    """A session with that goal, and its list: handed in, or read from the text."""
    items = given.get("preset") or demanded(given["goal"])
    host = Host(policy)
    host.prompt(given["goal"], items)
    return host, items


def activation(given: Given, expect: Given) -> Given:
    shaped(given, "goal", "preset")
    host, _ = started(given)
    said = host.round()
    passed, total = _counted(said)
    incomplete = any(one.rule == "e1-acceptance" for one in host.finish().rules)
    return {
        "active": "e1-active" in said,
        "complete": not incomplete,
        "passed": passed,
        "pending": total - passed,
        "pending_work": "e1-pending-work" in said,
        "has_failure": "e1-item-failed" in said,
    }


def _counted(said: dict[str, str]) -> tuple[int, int]:
    passed, _, total = said.get("e1-active", "0/0").partition("/")
    return int(passed), int(total)


def long_goal(given: Given, expect: Given) -> Given:
    host = Host(COMMANDS)
    host.prompt(shaped(given, "goal")["goal"])
    return {"long_running": "e1-long-running" in host.round()}


def resume_goal(given: Given, expect: Given) -> Given:
    """The host keeps as goal the latest prompt of which no rule says that it only resumes."""
    shaped(given, "message", "history")
    host, goal = Host(COMMANDS), ""
    prompts = [one["content"] for one in given.get("history", []) if one["role"] == "user"]
    if not prompts or prompts[-1] != given["message"]:
        prompts.append(given["message"])
    for text in prompts:
        said = host.said("prompt", prompt=text, goal={"text": goal or text})
        if "e1-resumes" not in said and ("e1-substantial" in said or text is prompts[-1]):
            goal = text
    return {"effective_goal": goal or prompts[-1]}


def normalise(given: Given, expect: Given) -> Given:
    """Two names are one item if the policy gives both the same name; a name that it gives another is no item's."""
    key = name_of(shaped(given, "command")["command"])
    wanted = " ".join(expect["key"].split())
    if key is not None and key.lower() == wanted.lower():
        return {"key": expect["key"]}
    itself = name_of(wanted)
    part = wanted.lower() in " ".join(given["command"].split()).lower()
    no_item = key is None and part and (itself is None or itself.lower() != wanted.lower())
    return {"key": expect["key"] if no_item else key}


def name_of(command: str) -> str | None:
    """The name of a command; None for a line that the era cannot read, which is nobody's name but its own."""
    said = [
        (rule, text)
        for rule, text in Host(COMMANDS).propose("run_command", command=command).items()
        if rule.startswith(KEY)
    ]
    if len(said) != 1:
        raise UnknownShape(f"{len(said)} rules name `{command}`: {said}")
    rule, text = said[0]
    if rule == "e1-key-npm-test-arguments":
        text = text.replace("npm test run, test", "npm test")
    return None if rule == "e1-key-line" else " ".join(text.replace(", ", " ").split())


def classify(given: Given, expect: Given | None) -> Given | None:
    shaped(given, "tool_args raw_output tool_success")
    text, ok = given["raw_output"], given["tool_success"]
    args = with_command(given["tool_args"], text)
    said = Host(RESULTS).result("run_command", args, ok, text)
    if not said:
        return None
    rule = next(iter(said)).removeprefix("ice-result-")
    kind = next(one for one in _KINDS if rule.startswith(one))
    label = rule.removeprefix(kind).removeprefix("-")
    code = next(iter(said.values()))
    got: Given = {"kind": kind.replace("-", "_"), "command": args.get("command", "")}
    if kind == "foreground":
        got["ok"] = reported(args, text, ok).get("exit_code") == 0
    if code.lstrip("-").isdigit():
        got["exit_code"] = int(code)
    return got | ({"status_label": label} if label else {})


def tracker(given: Given, expect: Given) -> Given:
    shaped(given, "goal events", "preset")
    host, items = started(given)
    before, last = states(host, given, items), None
    for event in given["events"]:
        happen(host, event)
        after = states(host, given, items)
        moved = [one for one in items if after[one] != before[one]]
        last = {"command": moved[0], "from": before[moved[0]], "to": after[moved[0]]} if moved else None
        before = after
    pending = "e1-pending-work" in host.said("after_round", goal={"text": given["goal"], "commands": items})
    complete = not any(one.rule == "e1-acceptance" for one in host.finish().rules)
    values = list(before.values())
    return {"last_transition": last, "passed": values.count("passed"), "pending": values.count("pending"),
            "has_failure": "failed" in values, "complete": complete, "pending_work": pending}  # fmt: skip


def states(host: Host, given: Given, items: list[str]) -> dict[str, str]:
    """Each command of the list, asked about alone."""
    found = {}
    for item in items:
        said = host.said("after_round", goal={"text": given["goal"], "commands": [item]})
        found[item] = "passed" if "e1-item-passed" in said else "failed" if "e1-item-failed" in said else "pending"
    return found


def happen(host: Host, event: Any) -> None:
    """`{run, ok}` or `{classified: {kind, command, exitCode, statusLabel}}`."""
    if "run" in event:
        shaped(event, "run", "ok output")
        host.run(event["run"], event.get("ok", True), text=event.get("output", ""))
        return
    one = shaped(shaped(event, "classified")["classified"], "kind command", "ok exitCode statusLabel")
    if one["kind"] == "foreground":
        host.run(one["command"], one["ok"])
        return
    status = {"background_start": "", "background_running": "running", "background_completed": "completed",
              "background_failed": one.get("statusLabel", "failed").removesuffix("_nonzero")}[one["kind"]]  # fmt: skip
    code = {"exitCode": one["exitCode"]} if "exitCode" in one else {}
    if status:
        text, args = json.dumps({"status": status, **code}), {"action": "check", "command": one["command"]}
    else:
        text, args = json.dumps({"mode": "background"}), {"command": one["command"]}
    host.result("run_command", args, status != "failed", text)


def feedback(given: Given, expect: Given) -> Given:
    shaped(given, "newly_passed completed_all passed total")
    new = [one["command"] for one in given["newly_passed"]]
    known = [f"earlier-check {n}" for n in range(given["passed"] - len(new))]
    open_ = [f"later-check {n}" for n in range(given["total"] - given["passed"])]
    host = Host(COMMANDS)
    host.prompt("go", known + new + open_)
    for command in known:
        host.run(command)
    text = "\n".join(
        message for one in given["newly_passed"] for message in host.run(one["command"], text=one["summary"]).values()
    )
    return {"message": text or None, "contains": [part for part in expect.get("contains", []) if part in text],
            "tick_lines": sum(line.startswith("✓") for line in text.splitlines())}  # fmt: skip


def unit_test(given: Given, expect: Given) -> Given:
    said = Host(VERIFICATION).propose("run_command", command=shaped(given, "command")["command"])
    return {"unit_test": "e1-unit-test" in said, "any_verification": "e1-check" in said}


MAPPINGS: dict[str, Mapping] = {
    "e1.parse_goal": parse_goal,
    "e1.activation": activation,
    "e1.long_goal": long_goal,
    "e1.resume_goal": resume_goal,
    "e1.normalise": normalise,
    "e1.result_classify": classify,
    "e3.result_classify": classify,
    "e1.tracker": tracker,
    "e1.success_feedback": feedback,
    "e1.unit_test_command": unit_test,
}

AREAS: dict[str, Area] = areas(MAPPINGS)

"""Era 1: free and forced mode, and the risk of what is planned; eras 1 and 2: which failures escalate."""

from __future__ import annotations

import re
from typing import Any

from tools.seeds.base import ROOT, Area, UnknownShape
from tools.seeds.icecoder.host import KINDS, Given, Host, Mapping, areas, heard, shaped

MODE = "compat/icecoder/e1-mode"
ESCALATION = "compat/icecoder/e2-escalation"
READ_ONLY = {"read_file", "glob", "grep", "list_dir"}
_THRESHOLDS = {
    "pendingStepsEnterThreshold": r"(define e1_enter_steps = )\d+",
    "writeTargetsEnterThreshold": r"(define e1_enter_writes = )\d+",
    "diffLinesEnterThreshold": r"(define e1_enter_lines = )\d+",
    "stableRoundsExitThreshold": r"(define e1_exit_stable = )\d+",
    "forcedMinDwellRounds": r"(define e1_exit_tasks = )\d+",
    "modeLockRounds": r"(lock )\d+(?= rounds)",
}
ENTER = "e1-enter-"
FAIL_SAFE = "engine_fail_safe"
_SIGNAL_WORDS = {
    "checkpoint": "checkpoint_resumed",
    "graph": "task_graph_active",
    "switch": "branch_switched",
    "explicit": "explicit_impl",
    "failed": "tool_failure",
}
_HOLD_WORDS = {"recovery": "recovery_pending", "debt": "branch_debt"}
_COUNTS = ("pendingStepCount", "plannedToolNames", "plannedWriteTargets", "writeTargetsThisRound",
           "accumulatedDiffLines", "lastToolSuccess", "stableRounds", "forcedTaskBearingRoundsSinceEntry")  # fmt: skip


def mode_engine(given: Given, expect: Given) -> Given:
    if "inputs_allowed" in given:
        shaped(given, "inputs_allowed")
        return {"goal_text_used": _reads_the_goal()}
    shaped(given, "config", "mode lock state signals risk supervisor op submit")
    op = given.get("op", "evaluate")
    if op == "sort":
        host = _free(given)
        host.facts(**dict.fromkeys(given["signals"], True))
        return {"sorted": _entered_by(host.propose("run_command", command="ls"))}
    if op == "submit_reset_evaluate":
        host = _free(given)
        host.facts(**dict.fromkeys(given["submit"], True))
        host.session = "the next run"
        return _evaluated(host, {})
    if op == "evaluate_throws":
        host = _free(given)
        host.more = {}
        return _evaluated(host, {})
    if op != "evaluate":
        raise UnknownShape(f"op `{op}`")
    flags = (*_named(given, _SIGNAL_WORDS), *_named(given, _HOLD_WORDS))
    state = shaped(given.get("state", {}), "", " ".join((*_COUNTS, *flags)))
    if given.get("mode", "free") == "free":
        return _evaluated(_free(given), state, given.get("signals", []))
    host, was = _forced(given, state)
    return _evaluated(host, state, given.get("signals", []), was)


def _reads_the_goal() -> bool:
    """Whether the mode or a rule that says why it was entered reads the goal, the prompt or the answer."""
    text = (ROOT / f"rules/{MODE}.policy").read_text("utf-8")
    return re.search(r"\b(goal\.\w+|prompt|answer)\b(?!ed)", re.sub(r"#.*", "", text)) is not None


def _configured(given: Given) -> str:
    """The policy, with the thresholds of the case in the place of its own."""
    text = (ROOT / f"rules/{MODE}.policy").read_text("utf-8")
    config = shaped(given.get("config", {}), "", f"{' '.join(_THRESHOLDS)} readonlyToolNames")
    if set(config.get("readonlyToolNames", READ_ONLY)) != READ_ONLY:
        raise UnknownShape("other read-only tools than those whose kind is known")
    for name, pattern in _THRESHOLDS.items():
        text, found = re.subn(pattern, rf"\g<1>{config[name]}", text) if name in config else (text, 1)
        if found != 1:
            raise UnknownShape(f"the policy has no {name}")
    return text


def _named(given: Given, words: dict[str, str]) -> dict[str, str]:
    """Keys of the state that are flags of ours: key → our word for it."""
    keys = given.get("state", {}).keys() - set(_COUNTS)
    return {key: name for key in keys for word, name in words.items() if word in key.lower()}


def _free(given: Given) -> Host:
    """A session in free mode."""
    host = Host(text=_configured(given))
    facts = {key: given[key] for key in ("supervisor", "risk") if key in given}
    host.facts(**facts)
    return host


def _forced(given: Given, state: Given) -> tuple[Host, bool]:
    """A session that was forced, with so many rounds of its lock left, so many stable and task-bearing rounds since.

    And whether it was: a policy that is told to be off never does.
    """
    host = _free(given)
    host.facts(explicit_impl=True)
    was = "e1-forced" in host.propose("read_file", path="a")
    for _ in range(state.get("forcedTaskBearingRoundsSinceEntry", 1)):
        host.facts(task_round=True)
    host.facts(unstable_round=True)
    for _ in range(state.get("stableRounds", 2)):
        host.facts(stable_round=True)
    host.more["plan"] = {"open_steps": state.get("pendingStepCount", 0)}
    held = {name: bool(state[key]) for key, name in _named(given, _HOLD_WORDS).items()}
    held |= {name: True for name in given.get("signals", []) if name == "recovery_pending"}
    host.facts(planned_writes=bool(state.get("plannedWriteTargets", 0)), **held)
    for _ in range(given.get("config", {}).get("modeLockRounds", 2) - given.get("lock", 0)):
        host.round()
    return host, was


def _evaluated(host: Host, state: Given, signals: Any = (), was: bool = False) -> Given:
    """The evaluation before a model call: the state as the host knows it, the signals of the round, then a look."""
    host.more = {key: dict(value) for key, value in host.more.items()}
    if host.more:
        host.more["plan"]["open_steps"] = state.get("pendingStepCount", 0)
        host.more["diff"]["lines"] = state.get("accumulatedDiffLines", 0)
    known = {name: True for key, name in _named({"state": state}, _SIGNAL_WORDS).items() if state[key]}
    if known or signals:
        host.facts(**known, **{name: True for name in signals if name not in known})
    for number in range(state.get("writeTargetsThisRound", 0)):
        host.write(f"src/{number}.ts")
    for number in range(state.get("plannedWriteTargets", 0) if not was else 0):
        host.propose("edit_file", path=f"plan/{number}.ts")
    spoken = heard(host.ask("before_tool", tool={"name": "read_file", "kind": "read", "args": {"file_path": "a"}}))
    said = {one.rule: one.message for one in spoken}
    unsure = any(one.outcome == "undecided" and one.rule.startswith(ENTER) for one in spoken)
    if unsure:
        return {
            "action": "enter_forced",
            "mode": "forced",
            "entered_by": [FAIL_SAFE],
            "primary": FAIL_SAFE,
            "fail_safe": True,
        }
    now, by = "e1-forced" in said, _entered_by(said)
    action = "keep" if now == was else "enter_forced" if now else "exit_forced"
    return {"action": action, "mode": "forced" if now else "free", "entered_by": by, "primary": by[0] if by else None,
            "fail_safe": False, "lock_rounds": _lock(host) if now else 0}  # fmt: skip


def _entered_by(said: dict[str, str]) -> list[str]:
    """In the order of the rules' names, which is that of a decision."""
    return [text for rule, text in said.items() if rule.startswith(ENTER) and not rule.endswith("fail-safe")]


def _lock(host: Host) -> int:
    """How many rounds it takes to leave, when all else is well."""
    host.more["plan"]["open_steps"] = host.more["diff"]["lines"] = 0
    host.facts(unstable_round=True, task_round=True)
    for _ in range(2):
        host.facts(stable_round=True)
    for rounds in range(1, 10):
        host.facts(task_round=True)
        host.round()
        if "e1-forced" not in host.propose("read_file", path="a"):
            return rounds
    return 0


def risk(given: Given, expect: Given) -> Given:
    """What was done this round, then what is planned, proposed call by call; the highest level that is said."""
    shaped(given, "state", "config")
    state = shaped(given["state"], "", " ".join(_COUNTS))
    host = Host(text=_configured(given))
    host.more["plan"] = {"open_steps": state.get("pendingStepCount", 0)}
    host.more["diff"] = {"lines": state.get("accumulatedDiffLines", 0), "files": 0}
    if state.get("lastToolSuccess") is False:
        host.run("npm test", False)
    for number in range(state.get("writeTargetsThisRound", 0)):
        host.write(f"src/{number}.ts")
    planned = list(state.get("plannedToolNames", [])) or ["run_command"]
    writes = sum(KINDS.get(name) in ("write", "edit") for name in planned)
    planned += ["edit_file"] * (state.get("plannedWriteTargets", 0) - writes)
    level = ""
    for number, name in enumerate(planned):
        args = {"command": "ls"} if KINDS.get(name) == "shell" else {"path": f"plan/{number}.ts"}
        said = host.propose(name, **args)
        level = max([level, *(text for rule, text in said.items() if rule.startswith("e1-risk-"))])
    return {"level": level}


def escalation(given: Given, expect: Given) -> Given:
    """Each a call that failed, by tool and subject."""
    count = 0
    for text in shaped(given, "failed")["failed"]:
        tool, _, subject = text.partition(" ")
        args = {"command": subject} if KINDS.get(tool) == "shell" else {"path": subject}
        count += "escalates" in Host(ESCALATION).result(tool, args, False).values()
    return {"escalating_failures": count}


MAPPINGS: dict[str, Mapping] = {"e1.mode_engine": mode_engine, "e1.risk": risk, "e2.mode": escalation}
AREAS: dict[str, Area] = areas(MAPPINGS)

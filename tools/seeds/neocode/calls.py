"""Single calls: who has to agree, how long they may take, which commands a verifier may run, and what its runs mean."""

from __future__ import annotations

import re
import shlex
from typing import Any

from policy_engine.model.decision import Decision
from policy_engine.model.process import NOT_STARTED, TIMED_OUT
from policy_engine.verification.record import stage_record
from policy_engine.verification.runner import FAILED, PASSED, run_stage
from policy_engine.verification.runner import Stage as Check
from tools.seeds.base import Answer, Case, Skip, Stage, UnknownShape, complaints, quoted
from tools.seeds.neocode.words import FOLDER, POLICY, refused, tool

SCANS = ("codebase_search_text", "codebase_search_symbol", "filesystem_grep", "filesystem_glob")
TYPES = ("bash", "read", "write", "mcp")
DENY_ALLOW_ASK = re.compile(r"(deny|ask|allow) (server|tool) (\S+)")


def permission(case: Case) -> Answer:
    """The shapes of cases about permissions."""
    if "rules" in case.given:
        return _templates(case)
    if "engines" in case.given:
        return _engines(case)
    if "inputs" in case.given:
        raise Skip("which server a tool belongs to is told by its host, in `tool.server`")
    (action,) = case.take("action")
    decision = _decided((f"{FOLDER}/permissions.policy",), action)
    verdict = decision.verdict if refused(decision) else "allow"
    return {"decision": verdict, "rule": decision.rules[0].rule if decision.rules else case.expect.get("rule") and ""}


def _decided(policies: tuple[str, ...], action: dict[str, Any]) -> Decision:
    unknown = action.keys() - {"type", "resource", "target", "tool", "operation"}
    if unknown or action["type"] not in TYPES:
        raise UnknownShape(f"the action {action!r}")
    resource, target = action["resource"], action.get("target", "")
    if action["type"] == "bash":
        call = tool("bash", command=target)
    elif action["type"] == "mcp":
        call = tool(target or resource)
    elif resource == "webfetch":
        call = tool("webfetch", url=target)
    else:
        call = tool(resource, path=target)
    with Stage(policies) as stage:
        return stage.tell("before_tool", tool=call)


def _templates(case: Case) -> Answer:
    """Rules about servers and tools of MCP, and what they say of calls."""
    rules, actions = case.take("rules", "actions")
    lines = ["language 1"]
    for number, said in enumerate(rules):
        found = DENY_ALLOW_ASK.fullmatch(said)
        if not found:
            raise UnknownShape(f"the rule {said!r}")
        verdict, sort, name = found.groups()
        server, _, word = name.partition("/")
        where = f"tool.server == {quoted(server)}"
        if sort == "tool":
            where += f" and tool.name == {quoted(f'mcp.{server}.{word}')}"
        lines.append(
            f'rule r{number} "x" {{ on before_tool(mcp) when {where} {"warn" if verdict == "allow" else verdict} }}'
        )
    text = "\n".join(lines) + "\n"
    said_of = [_decided((text,), {"type": "mcp", "resource": one, "target": one}) for one in actions]
    return {"decisions": [one.verdict if refused(one) else "allow" for one in said_of]}


ENGINES = {
    "default=invalid": 'language 1\nrule default "x" {\n on before_tool\n invalid "x"\n}\n',
    "rule id empty": 'language 1\nrule "x" {\n on before_tool\n deny "x"\n}\n',
    "rule decision invalid": 'language 1\nrule r "x" {\n on before_tool\n invalid "x"\n}\n',
    "rule id duplicate": 'language 1\nrule r "x" { on before_tool deny "x" }\nrule r "y" { on before_tool deny "y" }\n',
}


def _engines(case: Case) -> Answer:
    (engines,) = case.take("engines")
    if any(one not in ENGINES for one in engines):
        raise UnknownShape(f"the engines {engines!r}")
    return {"errors": [bool(complaints(ENGINES[one])) for one in engines]}


def timeout(case: Case) -> Answer:
    """How long calls may take, first and after they ran out of time."""
    tools, name, base, outcomes, args, _same = case.take("tools", "tool", "base_s", "outcomes", "args", "same_key")
    bases = base if isinstance(base, list) else [base if base is not None else 20]
    named = tools or [name or _named(case)]
    if outcomes is not None:
        return _adaptive(named[0], bases[0], outcomes, case.given.get("args"))
    wishes = args if isinstance(args, list) else [args] * len(bases)
    rows = [[_budget(one, number, wish) for number, wish in zip(bases, wishes, strict=True)] for one in named]
    if any(row != rows[0] for row in rows):
        return {"timeouts_s": rows}
    return {"timeouts_s": rows[0]}


def _named(case: Case) -> str:
    """The tool that the name of a case is about, where `given` names none."""
    found = case.name.partition(":")[0].strip()
    if not re.fullmatch(r"[a-z_]+", found):
        raise UnknownShape(f"which tool {case.name!r} is about")
    return found


def _call(name: str, base: int, wish: Any) -> dict[str, Any]:
    own = wish if isinstance(wish, int) else (wish or {}).get("timeout_sec") if isinstance(wish, dict) else None
    args: dict[str, Any] = {"timeout": (own if own is not None else base) * 1000}
    args |= {"command": "make"} if name == "bash" else {}
    if isinstance(wish, dict):
        args |= {key: value for key, value in wish.items() if key != "timeout_sec"}
    return tool(name, **args, **({"timeout_sec": own} if own is not None else {}))


def _budget(name: str, base: int, wish: Any) -> int:
    with Stage((f"{FOLDER}/timeouts.policy",)) as stage:
        return _seconds(stage.tell("before_tool", tool=_call(name, base, wish)))


def _seconds(decision: Decision) -> int:
    return (decision.timeout_ms or 0) // 1000


def _adaptive(name: str, base: int, outcomes: list[Any], args: Any) -> Answer:
    call = _call(name, base, args)
    found = []
    with Stage((f"{FOLDER}/timeouts.policy",)) as stage:
        found.append(_seconds(stage.tell("before_tool", tool=call)))
        for outcome in outcomes:
            stage.tell("after_tool", tool=call, result=_outcome(outcome))
            found.append(_seconds(stage.tell("before_tool", tool=call)))
    scaled = [base * one // found[0] for one in found]  # the base of such a case is what the tool has at first
    return {"adaptive_s": scaled[-1], "sequence_s": scaled, "timeouts_s": scaled}


def _outcome(said: Any) -> dict[str, Any]:
    word = str(said)
    if "timeout" in word or "timed out" in word or "deadline" in word:
        return {"ok": False, "text": word, "timed_out": True}
    if word in ("ok", "success", "succeeded", "pass", "error", "failure", "other error", "boom", "generic"):
        return {"ok": word in ("ok", "success", "succeeded", "pass"), "text": word, "timed_out": False}
    raise UnknownShape(f"the outcome {said!r}")


# ---- verification ----------------------------------------------------------------------------------------------------


def verify(case: Case) -> Answer:
    """The shapes of cases about verifiers."""
    if "rules" in case.given:
        return _content_rules(case)
    if "verifier" in case.given:
        return _verifier(case)
    (results,) = case.take("results")
    names = [f"check{number}" for number in range(len(results))]
    stages = "\n".join(f'verify {name} "x" {{\n stage {name}_stage run ["true"]\n}}' for name in names)
    records = {f"{name}_stage": _record(f"{name}_stage", one) for name, one in zip(names, results, strict=True)}
    with Stage((POLICY, f"language 1\n{stages}\n"), stages=lambda spec, folder: records[spec[0]]) as stage:
        stage.tell("prompt", prompt="Do it.")
        decision = stage.tell("before_completion", answer="done")
    passed = not refused(decision)
    return {"passed": passed, "stop_reason": decision.stop_reason or ("accepted" if passed else "verification_failed")}


def _record(stage: str, said: Any) -> dict[str, Any]:
    if isinstance(said, str):
        status, _, summary = said.partition(": ")
        said = {"status": status, "summary": summary}
    if said["status"] == "pass":
        return {"stage": stage, "command": "true", "outcome": PASSED}
    if said["status"] not in ("fail", "error"):
        raise UnknownShape(f"the result {said!r}")
    more = {"error_class": said["class"]} if "class" in said else {}
    return {"stage": stage, "command": "true", "outcome": FAILED, "summary": said.get("summary", "failed"), **more}


def _verifier(case: Case) -> Answer:
    """A verifier that runs a command."""
    name, command, code, timed_out = case.take("verifier", "command", "exit", "timed_out")
    if command == []:
        wrong = complaints(f'language 1\nverify v "x" {{\n stage {name} run []\n}}\n')
        return {"status": "fail" if wrong else "pass", "class": "env_missing" if wrong else ""}
    if command is None:
        command = ["sh", "-c", "sleep 5" if timed_out else f"exit {code or 0}"]
    stage_text = f"stage {name} run {_argv(command)} timeout {'100ms' if timed_out else '20s'}"
    policy = f'language 1\nverify v "x" {{\n {stage_text}\n}}\n'
    with Stage((POLICY, policy), stages=stage_record) as stage:
        stage.tell("prompt", prompt="Do it.")
        decision = stage.tell("before_completion", answer="done")
    told = [one.message.partition(":")[0] for one in decision.rules if one.rule.startswith("class_")]
    said = [values for one in decision.rules for _, values in one.because]
    named = [values[key] for values in said for key in ("error_class", "verification.error_class") if key in values]
    known = named[0] if named else "unknown"
    words = {"missing_command": "command_not_found", "configuration": "env_missing"}
    found = told[0] if told else words.get(str(known), str(known))
    return {"status": "fail" if refused(decision) else "pass", "class": found if refused(decision) else ""}


def _argv(command: list[str]) -> str:
    return "[" + ", ".join(map(quoted, command)) + "]"


def _content_rules(case: Case) -> Answer:
    (rules,) = case.take("rules")
    statuses = []
    for rule in rules:
        statuses.append("pass" if rule is None else _content(rule))
    return {"statuses": statuses}


def _content(rule: dict[str, Any]) -> str:
    path = rule["artifact"]
    asked = [f"content_contains({quoted(path)}, {quoted(token)})" for token in rule.get("contains") or [""]]
    text = f'language 1\nrule r "x" {{\n on before_completion\n require {" and ".join(asked)}\n deny "x"\n}}\n'
    if complaints(text):
        return "fail"
    with Stage((text,), files={path: rule["content"]} if "content" in rule else {}) as stage:
        return "fail" if refused(stage.tell("before_completion", answer="done")) else "pass"


def exec_policy(case: Case) -> Answer:
    """Which commands a verifier may run, and what becomes of one that cannot."""
    argv, runs = case.take("argv", "runs")
    if runs is not None:
        return _runs(runs)
    with Stage((f"{FOLDER}/verification.policy",)) as stage:
        return {"allowed": not refused(stage.tell("before_tool", tool=tool("verify", command=shlex.join(argv))))}


def _runs(runs: list[str]) -> Answer:
    found = []
    with Stage(("language 1\n",)) as stage:
        for said in runs:
            code = said.removeprefix("exit ")
            if said == "bad workdir":
                found.append(run_stage(Check("check", ("true",)), str(stage.workspace / "missing")))
            elif said.startswith("sleep"):
                found.append(run_stage(Check("check", ("sleep", "20"), 200), str(stage.workspace)))
            elif code.isdigit():
                found.append(run_stage(Check("check", ("sh", "-c", said)), str(stage.workspace)))
            else:
                raise UnknownShape(f"the run {said!r}")
    broken = [one.outcome in (NOT_STARTED, TIMED_OUT) for one in found]
    return {
        "errors": ["execution_error" if one else None for one in broken],
        "timed_out": [one.outcome == TIMED_OUT for one in found],
        "exit_nonzero": [None if wrong else one.exit_code != 0 for one, wrong in zip(found, broken, strict=True)],
    }


AREAS = {
    "permission": permission,
    "tool.timeout": timeout,
    "verify": verify,
    "verify.exec_policy": exec_policy,
}

"""Hooks as declarations of ours: their order, their answers, their failures, and what a point lets them do."""

from __future__ import annotations

import re
from typing import Any

from policy_engine.hooks.base import HookPoint
from policy_engine.model import family
from policy_engine.model.decision import Decision
from policy_engine.model.undecided import Undecided
from tools.seeds.base import SOUND, Answer, Case, Skip, Stage, UnknownShape, complaints, quoted
from tools.seeds.neocode.words import refused, tool
from tools.seeds.neocode.yaml_hooks import attaches, migrated, repository, user

POINTS = {
    "session_start": "session_start", "user_prompt_submit": "prompt", "before_tool_call": "before_tool",
    "before_permission_decision": "before_permission", "after_tool_result": "after_tool",
    "after_tool_failure": "after_tool", "before_completion_decision": "before_stop", "accept_gate": "before_completion",
    "pre_compact": "before_compact", "post_compact": "after_compact", "subagent_start": "subagent_start",
    "subagent_stop": "after_tool(agent)", "session_end": "session_end",
}  # fmt: skip
"""Its points and ours. A sub-agent that has stopped is the end of the call that started it."""
KNOWN = ("id", "priority", "failure_policy", "returns", "message", "timeout_ms", "sleeps_ms", "raises", "mode", "scope",
         "source", "point", "kind", "handler", "waits_for_cancel", "error", "metadata")  # fmt: skip
NOT_OURS = "when a hook's events are sent, and with which clock, is the host's tracing; a decision says what spoke"


def event_at(point: str, **more: Any) -> dict[str, Any]:
    """The smallest event of a point."""
    hook = POINTS.get(point, point).partition("(")[0]
    found: dict[str, Any] = {"hook": hook}
    if hook in ("before_tool", "after_tool", "before_permission"):
        found["tool"] = tool("spawn_subagent" if point == "subagent_stop" else "filesystem_read_file", path="a.txt")
    if hook == "after_tool":
        found["result"] = {"ok": point != "after_tool_failure", "text": "x"}
    found |= {"prompt": "Do it."} if hook in ("prompt", "subagent_start") else {}
    found |= {"answer": "done"} if hook == "before_completion" else {}
    return found | more


def declaration(point: str, hook: dict[str, Any], name: str) -> str:
    """A hook of its as a declaration of ours; a word that we do not know stands as it is, and is refused."""
    unknown = hook.keys() - set(KNOWN)
    if unknown:
        raise UnknownShape(f"a hook with {sorted(unknown)}")
    policy = {"fail_open": "open", "warn_only": "open", "": "open", "fail_closed": "closed"}
    said = hook.get("failure_policy", "") or ""
    how = f'run ["sleep", "{hook["sleeps_ms"] / 1000:g}"]' if "sleeps_ms" in hook else f"call {word(name)}"
    lines = [f"hook {name} {quoted(hook.get('id') or name)} {{", f"on {POINTS.get(point, point)}", how,
             f"priority {hook.get('priority', 0)}", f"fail {policy.get(said, said)}"]  # fmt: skip
    lines += [f"timeout {hook['timeout_ms']}ms"] if hook.get("timeout_ms") else []
    lines += ["observe"] if hook.get("mode") in ("observe", "async", "async_rewake") else []
    return "\n".join([*lines, "}"])


def word(name: str) -> str:
    """A name that a declaration may have."""
    return re.sub(r"[^a-z0-9_-]", "-", name.lower())


def in_order(hooks: list[dict[str, Any]], point: str) -> str:
    """Hooks as a policy: among those of one priority the earlier comes first."""
    found = ["language 1"]
    for number, hook in enumerate(hooks):
        text = declaration(point, hook, word(hook["id"]))
        later = [word(one["id"]) for one in hooks[number + 1 :] if one.get("priority", 0) == hook.get("priority", 0)]
        later = [one for one in later if one != word(hook["id"])]
        if later:
            text = text[:-1] + f"before {', '.join(later)}\n}}"
        found.append(text)
    return "\n".join(found) + "\n"


def asked(hook: dict[str, Any], called: list[str]) -> Any:
    """The callable that a hook of its stands for."""

    def answer(event: Any) -> Any:
        called.append(hook["id"])
        if "raises" in hook:
            raise RuntimeError(f"panicked: {hook['raises']}")
        returns = hook.get("returns", "pass") or "pass"
        if returns == "block":
            return "deny", hook.get("message", "")
        if returns == "pass":
            return ("warn", hook["message"]) if hook.get("message") else True
        if returns == "failed":
            raise Undecided(hook.get("error") or hook.get("message") or "the hook failed")
        return returns  # neither true, false nor a verdict: undecided

    return answer


def executor(case: Case) -> Answer:
    """Hooks at a point, in their order, and what became of each."""
    if "executor" in case.given or "registry" in case.given:
        case.take("executor", "registry", "point")
        with Stage(("language 1\n",)) as stage:
            decision = stage.tell(**event_at("before_tool_call"))
        return {"blocked": refused(decision), "statuses": [one.outcome for one in decision.rules]}
    if "metadata" in case.given:
        raise Skip("which fields a repository's hook may see is a matter of trust in it, which is decided elsewhere")
    if case.given.keys() & {"clock", "sink", "max_in_flight", "in_flight"} or "event_fields" in case.expect:
        raise Skip(NOT_OURS)
    point, hooks, cancelled = case.take("point", "hooks", "cancelled")
    if cancelled or any("waits_for_cancel" in hook for hook in hooks):
        raise Skip("a host that cancels a run stops its hooks itself; here they end by their timeout")
    called: list[str] = []
    answers = {word(hook["id"]): asked(hook, called) for hook in hooks}
    with Stage((in_order(hooks, point),), answers) as stage:
        decision = stage.tell(**event_at(point))
    return told(decision, hooks, called, point)


def told(decision: Decision, hooks: list[dict[str, Any]], called: list[str], point: str) -> Answer:
    """A decision in the words of the executor."""
    found = {one.rule: one for one in decision.rules}
    order = called + [hook["id"] for hook in hooks if "sleeps_ms" in hook]
    statuses, events = [], []
    detached = {hook["id"] for hook in hooks if str(hook.get("mode", "")).startswith("async")}
    for name in [one for one in order if one not in detached]:
        one = found.get(word(name))
        failed = one is not None and one.outcome == "undecided"
        statuses.append("failed" if failed else "block" if one is not None and one.verdict == "deny" else "pass")
        events += ["hook_started", "hook_failed" if failed else "hook_finished"]
    first = decision.rules[0] if decision.rules else None
    errors = "; ".join(reason for one in decision.rules for reason in one.undecided)
    blocks = [hook["id"] for hook in hooks if word(hook["id"]) in found and refused(decision)]
    returned = {hook["id"]: hook.get("returns") for hook in hooks}
    downgraded = bool(order) and not refused(decision) and any(returned.get(name) == "block" for name in order)
    timed_out = errors.replace("did not end within", "timed out: did not end within")
    return {
        "blocked": refused(decision),
        "blocked_by": blocks[-1] if blocks else "",
        "blocked_source": "internal" if blocks else "",
        "statuses": statuses,
        "called": order,
        "results": len(statuses),
        "events": events,
        "not_events": events,
        "message": first.message if first is not None else "",
        "error": errors,
        "error_contains": timed_out,
        "metadata": {"block_downgraded": True, "guard_signal": True, "original_status": "block"} if downgraded else {},
    }


def defects(case: Case) -> Answer:
    """Where a point cannot refuse nothing is blocked, and a file that must be there refuses if it is not."""
    if "item" in case.given:
        point, item = case.take("point", "item")
        policy = required_file(item, point)
        with Stage((policy,)) as stage:
            blocked = refused(stage.tell(**event_at(point)))
        return {"blocked": blocked, SOUND: blocked}
    if "command" in case.given:
        return _in_time(case)
    found = executor(case)
    return {**found, SOUND: found["blocked"] is False}


def _in_time(case: Case) -> Answer:
    """A command that does not end in time has not said yes, and refuses unless its policy says otherwise."""
    line, _, _ = case.take("command", "timeout_sec", "failure_policy")
    argv = f'["sh", "-c", {quoted(line)}]'
    policy = f'language 1\nhook h "x" {{\n on before_completion\n run {argv}\n timeout 500ms\n}}\n'
    with Stage((policy,)) as stage:
        blocked = refused(stage.tell("before_completion", answer="done"))
    return {"blocked": blocked, "status": "failed" if blocked else "pass", SOUND: blocked}


def required_file(item: dict[str, Any], point: str) -> str:
    """The rule that `require_file_exists` stands for."""
    if item.get("handler") != "require_file_exists":
        raise UnknownShape(f"the handler {item.get('handler')!r}")
    params = item["params"]
    path, message = quoted(params["path"]), quoted(params.get("message", "The file is missing."))
    return (
        f'language 1\nrule required-file "x" {{\n on {POINTS[point]}\n'
        f" require file_exists({path})\n deny {message}\n}}\n"
    )


def registry(case: Case) -> Answer:
    """Hooks in their order; an id is there once."""
    if "remove_twice" in case.given or "remove" in case.given:
        raise Skip("a policy is no registry at run time: a hook is removed by taking it out of the file")
    hooks, resolved = case.take("register", "resolve")
    called: list[str] = []
    sources = [hook.get("source", hook.get("scope", "internal")) for hook in hooks]
    apart = len(set(sources)) > 1
    named = [{**hook, "id": f"{source}-{hook['id']}" if apart else hook["id"]}
             for hook, source in zip(hooks, sources, strict=True)]  # fmt: skip
    seen: list[str] = []
    errors: list[str | None] = []
    for hook in named:
        errors.append("already exists" if word(hook["id"]) in seen else None)
        seen.append(word(hook["id"]))
    at = resolved or next((hook["point"] for hook in hooks if "point" in hook), "before_tool_call")
    here = [hook for hook in named if hook.get("point", at) == at]
    policy = in_order(named if len(here) == len(named) else here, at)
    wrong = complaints(policy)
    if any(errors) != any("is already used" in one for one in wrong):
        raise UnknownShape(f"the policy does not load: {wrong}")
    if not wrong:
        with Stage((policy,), {word(hook["id"]): asked(hook, called) for hook in named}) as stage:
            stage.tell(**event_at(at))
    return {"order": called, "errors": errors if wrong else [None] * len(hooks)}


def spec(case: Case) -> Answer:
    """What a declaration may say; what it may not is refused when it is loaded. Hooks of users come from YAML."""
    (raw,) = case.take("spec")
    kind, mode, scope = raw.get("kind") or "function", raw.get("mode") or "", raw.get("scope") or "internal"
    policy = {"fail_open": "open", "warn_only": "open", "": "open", "fail_closed": "closed"}
    said = raw.get("failure_policy") or ""
    if scope in ("user", "repo"):
        found = [one for one in [configured(raw, scope)] if one]
    else:
        also = "" if scope == "internal" else scope
        found = complaints(declared(raw, kind, mode, f"fail {policy.get(said, said)} {also}"))
    return {
        "error": f"invalid spec: {found[0]}"[:12] if found else None,
        "error_contains": "; ".join(found),
        "mode": mode or ("observe" if kind == "http" else "sync"),
        "scope": scope,
        "source": raw.get("source") or scope,
        "kind": kind,
        "failure_policy": "fail_open" if policy.get(said) == "open" else "fail_closed",
    }


def declared(raw: dict[str, Any], kind: str, mode: str, fail: str) -> str:
    """A hook of the system itself as a declaration; a word that we do not know stands as it is."""
    how = {"function": "call handler", "command": 'run ["true"]', "http": 'run ["curl", "http://127.0.0.1/h"] observe'}
    modes = {"": "", "sync": "", "observe": "observe", "async": "observe", "async_rewake": "observe"}
    lines = [
        "language 1",
        f'hook {word(raw["id"].strip())} "x" {{' if str(raw.get("id") or "").strip() else 'hook "x" {',
    ]
    lines += [f"on {POINTS.get(raw['point'], raw['point'])}"] if raw.get("point") else []
    lines += [] if "handler" in raw and not raw["handler"] else [how.get(kind, f"{kind} handler")]
    lines += [] if kind == "http" and mode == "observe" else [modes.get(mode, mode)]
    lines += [f"timeout {raw['timeout_ms']}ms"] if raw.get("timeout_ms") is not None else []
    lines += [f"timeout {raw['timeout_sec']}s"] if raw.get("timeout_sec") is not None else []
    return "\n".join([*lines, fail, "}"]) + "\n"


def configured(raw: dict[str, Any], scope: str) -> str:
    """Why a user's or repository's hook is refused; empty if it is not."""
    builtin = {"kind": "builtin", "handler": "require_file_exists", "params": {"path": "a.txt"}}
    params: dict[str, Any] = {"command": {"command": ["true"]}, "http": {"url": "http://127.0.0.1/h"}}
    kind = raw.get("kind") or "function"
    kept = {key: value for key, value in raw.items() if key not in ("handler", "source", "timeout_ms")}
    item = {**kept, **(builtin if kind == "function" else {"params": params.get(kind, {})})}
    return migrated(user(item) if scope == "user" else repository(item))[1]


def capability(case: Case) -> Answer:
    """Whether a point lets a hook refuse, and whether everybody may attach one."""
    (point,) = case.take("point")
    ours = POINTS[point]
    wrong = complaints(f'language 1\nrule r "x" {{\n on {ours}\n deny "x"\n}}\n')
    members = {one.name: one for one in family.members("policy_engine.hooks", HookPoint)}
    if ours.partition("(")[0] not in members:
        raise UnknownShape(f"the point {point!r}")
    return {"can_block": not wrong, "user_allowed": attaches(point)}


AREAS = {
    "hooks.executor": executor,
    "hooks.registry": registry,
    "hooks.spec": spec,
    "hooks.capability": capability,
    "quirk.hooks": defects,
}

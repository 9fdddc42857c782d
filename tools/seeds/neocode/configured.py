"""Hooks from YAML and of repositories: what `policy migrate` makes of them, what it refuses, and commands as hooks."""

from __future__ import annotations

import copy
import json
from typing import Any

from policy_engine.conversion.document import Refused
from policy_engine.conversion.neocode_hooks import read_hooks
from policy_engine.migrations.base import migrate
from policy_engine.model.source import Source
from tools.seeds.base import SOUND, Answer, Case, Skip, Stage, UnknownShape, quoted
from tools.seeds.neocode.words import refused
from tools.seeds.neocode.yaml_hooks import migrated, repository, user

TRUST = "trust in a repository's commands is recorded and bound to their digests elsewhere; here it is one switch"
HTTP = "requests over HTTP are a client's business; a hook of ours is a program"
BUILTIN = {"kind": "builtin", "handler": "require_file_exists", "params": {"path": "README.md"}}


def config(case: Case) -> Answer:
    """What of a configuration is refused, and what it becomes."""
    if "config" in case.given:
        (raw,) = case.take("config")
        hooks = raw.get("runtime", {}).get("hooks", raw)
        policy, problem = migrated({"runtime": {"hooks": hooks}})
        if problem or hooks.get("items"):
            return {"error": bool(problem), "error_contains": problem, "executor": "present" if policy else "absent"}
        return {"error": False, **_defaults(hooks)}
    if "params" in case.given:
        (params,) = case.take("params")
        given = user({"id": "x", "point": "before_tool_call", "kind": "builtin", "handler": "warn_on_tool_call",
                      "params": copy.deepcopy(params)})  # fmt: skip
        migrated(given)
        return {"original_unchanged": given["runtime"]["hooks"]["items"][0]["params"] == params}
    item, items = case.take("item", "items")
    policy, problem = migrated(user(*([item] if item is not None else items)))
    observed = "observe" in policy or (item or {}).get("kind") == "http"
    return {"error": bool(problem), "error_contains": problem, "mode": "observe" if observed else "sync"}


def _defaults(hooks: dict[str, Any]) -> Answer:
    item = {"id": "x", "point": "accept_gate", **BUILTIN}
    found = read_hooks(Source("hooks.yaml", json.dumps(user(item, **hooks))))
    one = found.hooks[0]
    return {
        "enabled": "`enabled" not in found.off,
        "user_hooks_enabled": "`user_hooks_enabled" not in found.off,
        "default_timeout_sec": one.seconds,
        "default_failure_policy": "fail_closed" if one.closed else "warn_only",
    }


def repo(case: Case) -> Answer:
    """A repository's own hooks."""
    if "trusted" in case.given:
        case.take("trusted")
        policy, problem = migrated(repository({"id": "readme", "point": "accept_gate", **BUILTIN}))
        with Stage((policy,)) as stage:
            stage.tell("prompt", prompt="Do it.")
            stage.write("a.txt", "a")
            decision = stage.tell("before_completion", answer="done")
        place = decision.rules[0].at if decision.rules else ""
        return {"finished_event_source": "repo" if place and not problem else ""}
    if "workdirs" in case.given:
        raise Skip("an event without an absolute workspace is refused before any rule; where hooks are looked for is "
                   "the host's business")  # fmt: skip
    if "items" in case.given:
        (items,) = case.take("items")
        listed = [{"id": one, "point": "accept_gate", **BUILTIN} if isinstance(one, str) else one for one in items]
        policy, problem = migrated(repository(*listed))
        count = len([line for line in policy.splitlines() if line.startswith(("rule ", "hook "))])
        return {"error": bool(problem), "error_contains": problem, "count": count}
    if case.given.keys() & {"text", "file", "yaml", "content"}:
        text = next(one for one in case.take("text", "file", "yaml", "content") if one is not None)
        try:
            migrate("hooks-yaml", str(text), "hooks.yaml")
        except Refused as refusal:
            return {"error": True, "error_contains": str(refusal)}
        return {"error": False, "error_contains": ""}
    (item,) = case.take("item")
    whole = {"id": "x", "point": "accept_gate", **BUILTIN, **item}
    if item.get("kind") in ("http", "prompt", "agent", "command"):
        whole = {key: value for key, value in whole.items() if key not in ("handler", "params") or key in item}
    policy, problem = migrated(repository(whole))
    return {"error": bool(problem), "error_contains": problem, "scope": "repo",
            "kind": item.get("kind", "builtin"), "mode": item.get("mode", "sync")}  # fmt: skip


def builtin(case: Case) -> Answer:
    """A file that has to be there."""
    if "links" in case.given:
        (links,) = case.take("links")
        return {"ok": [_linked(name, target) for name, target in links.items()]}
    params, present, handler, called = case.take("params", "files", "handler", "tool_name")
    if handler in ("warn_on_tool_call", "add_context_note"):
        return _telling(handler, params, called or "bash")
    item = {"id": "x", "point": "accept_gate", "kind": "builtin", "handler": handler or "require_file_exists",
            "failure_policy": "fail_closed", "params": params}  # fmt: skip
    policy, problem = migrated(user(item))
    if problem:
        return {"status": "failed", "error": True, "error_contains": problem, "message": params.get("message", "")}
    with Stage((policy,), files=dict.fromkeys(present or (), "x")) as stage:
        stage.tell("prompt", prompt="Do it.")
        stage.write("written.txt", "x")
        decision = stage.tell("before_completion", answer="done")
    message = decision.rules[0].message if decision.rules else ""
    return {"status": "failed" if refused(decision) else "pass", "message": message, "message_contains": message}


def _telling(handler: str, params: dict[str, Any], called: str) -> Answer:
    """What warns or notes never refuses."""
    item = {"id": "x", "point": "before_tool_call", "kind": "builtin", "handler": handler, "params": params}
    policy, problem = migrated(user(item))
    if problem:
        return {"status": "failed", "error": True, "error_contains": problem}
    with Stage((policy,)) as stage:
        decision = stage.tell("before_tool", tool={"name": called, "kind": "other", "args": {}})
    message = decision.rules[0].message if decision.rules else ""
    return {"status": "failed" if refused(decision) else "pass", "message": message, "message_contains": message}


def _linked(name: str, target: str) -> bool:
    policy = f'language 1\nrule there "x" {{\n on before_completion\n require file_exists({quoted(name)})\n deny\n}}\n'
    with Stage((policy,), files={"target.txt": "x"}) as stage:
        place = stage.workspace / name
        place.symlink_to("/etc/passwd" if target.startswith("/") else stage.workspace / target)
        return not refused(stage.tell("before_completion", answer="done"))


def command(case: Case) -> Answer:
    """A shell command as a hook: its exit status is the answer, what it prints the reason."""
    line, seconds, policy = case.take("command", "timeout_sec", "failure_policy")
    limit = f"timeout {min(seconds, 2) * 500}ms" if seconds else ""
    fail = "closed" if policy == "fail_closed" else "open"
    argv = f'["sh", "-c", {quoted(f"exec 2>&1; {line}")}]'
    text = f'language 1\nhook h "x" {{\n on before_completion\n run {argv}\n {limit}\n fail {fail}\n}}\n'
    with Stage((text,)) as stage:
        decision = stage.tell("before_completion", answer="done")
    one = decision.rules[0] if decision.rules else None
    status = "pass" if one is None else "failed" if one.outcome == "undecided" else "block"
    message = one.message if one is not None else ""
    return {"status": status, "blocked": refused(decision), "message": message, "message_contains": message}


def compose(case: Case) -> Answer:
    """Hooks of several sources: those of the system first, then users', then the repository's; a block ends it."""
    if "steps" in case.given:
        (steps,) = case.take("steps")
        return {"executor": [_present(step) for step in steps]}
    if "item" in case.given:
        (item,) = case.take("item")
        policy, problem = migrated(user({"id": "x", "point": "before_tool_call", **item}))
        return {"error_contains": problem, "executor": "present" if policy else "absent"}
    answers = dict(zip(("internal", "user", "repo"), case.take("internal", "user", "repo"), strict=True))
    called: list[str] = []

    def asked(source: str) -> Any:
        def answer(event: Any) -> Any:
            called.append(source)
            return ("deny", f"blocked by {source}") if answers[source] == "block" else True

        return answer

    present = [source for source, said in answers.items() if said is not None]
    rank = {"internal": 30, "user": 20, "repo": 10}
    lines = [f'hook {one} "x" {{ on before_tool call {one} priority {rank[one]} }}' for one in present]
    with Stage(("\n".join(["language 1", *lines]) + "\n",), {source: asked(source) for source in present}) as stage:
        call = {"name": "bash", "kind": "shell", "args": {"command": "ls"}}
        decision = stage.tell("before_tool", tool=call)
    by = decision.rules[0].rule if decision.rules else ""
    return {"results": len(called), "blocked_by": by, "blocked_source": by, "blocked": refused(decision)}


def _present(step: str) -> str:
    """Whether a repository's hooks are still there once a user has switched something off."""
    key, _, value = step.partition("=")
    if key not in ("enabled", "user_hooks_enabled") or value not in ("true", "false"):
        raise UnknownShape(f"the step {step!r}")
    if value == "true" or key == "user_hooks_enabled":
        own, _ = migrated(repository({"id": "readme", "point": "accept_gate", **BUILTIN}))
        return "present" if "rule " in own else "absent"
    policy, _ = migrated(user({"id": "x", "point": "accept_gate", **BUILTIN}, enabled=False))
    return "present" if "rule " in policy else "absent"


def http(case: Case) -> Answer:
    """Which headers a configuration may have; the rest is the client's."""
    if "headers" not in case.given:
        raise Skip(HTTP)
    (headers,) = case.take("headers")
    item = {"id": "x", "point": "after_tool_result", "kind": "http"}
    found = [{**item, "params": {"url": "http://127.0.0.1/h", "headers": one}} for one in headers]
    return {"ok": [not migrated(user(one))[1] for one in found]}


def trust(case: Case) -> Answer:
    raise Skip(TRUST)


def notification(case: Case) -> Answer:
    raise Skip("which notices stand in a prompt, and how many, is the host's business; a decision is told at once")


def reload(case: Case) -> Answer:
    """An edited policy is in force at the next look, also where none was before."""
    import tempfile
    from pathlib import Path

    from policy_engine.bootstrap import Engine

    runs, edited = case.take("runs", "edit_between")
    if not edited or runs != 2:
        raise UnknownShape(f"{runs} runs")
    with tempfile.TemporaryDirectory(prefix="seed-") as folder:
        path = Path(folder, "main.policy")
        verdicts = []
        path.write_text('language 1\nrule first "x" { on before_completion warn }\n')
        engine = Engine.load(folder, log=False)
        for text in ("", 'language 1\nrule second "x" { on before_completion deny "x" }\n'):
            if text:
                path.write_text(text)
                engine.reload()
            verdicts.append(engine.decide({"hook": "before_completion", "session": "s", "answer": "a"}).verdict)
    second = "second version" if verdicts == ["warn", "deny"] else "first version"
    return {"second_run_uses": second, "cache_size": 1, SOUND: second == "second version"}


AREAS = {
    "hooks.config": config,
    "hooks.repo": repo,
    "hooks.builtin": builtin,
    "hooks.command": command,
    "hooks.compose": compose,
    "hooks.http": http,
    "hooks.repo_trust": trust,
    "hooks.notification": notification,
    "quirk.reload": reload,
}

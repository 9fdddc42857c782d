"""Results of its tools as events of ours: what was written, read and verified, and what is still open."""

from __future__ import annotations

import shutil
from typing import Any

from policy_engine.model.decision import Decision
from policy_engine.runtime.turns import Turn
from tools.seeds.base import SOUND, Answer, Case, Skip, Stage, UnknownShape, quoted
from tools.seeds.neocode.run import READ, play
from tools.seeds.neocode.words import POLICY, ended, refused, tool

WRITES = ("filesystem_write_file", "filesystem_edit")
MOVES = ("filesystem_move_file", "filesystem_copy_file", "filesystem_delete_file", "filesystem_create_dir",
         "filesystem_remove_dir")  # fmt: skip


def noop(meta: Any) -> bool:
    """Whether a write reports that it changed nothing."""
    said = (meta or {}).get("noop_write")
    return said is True or (isinstance(said, str) and said.strip().lower() == "true")


def lay_out(stage: Stage, results: list[dict[str, Any]]) -> None:
    """The files that are there before the run: those that its first result about them does not make."""
    seen: set[str] = set()
    for one in results:
        meta = one.get("meta") or {}
        makes = (
            one["tool"] == "bash" or (one["tool"] in WRITES and not noop(meta)) or one["tool"].endswith("create_dir")
        )
        path = str(meta.get("path", "")).strip()
        if one["tool"] == "filesystem_glob":
            for name in _paths_of(one):
                stage.write(name, "old")
        elif path and path not in seen and not makes and not one.get("is_error"):
            stage.write(path, " ".join(meta.get("verification_expected", ())) or "old")
        seen.update(_paths_of(one))


def report(stage: Stage, result: dict[str, Any]) -> Decision:
    """One tool result as an event; what it did to files is done in the workspace, too."""
    unknown = result.keys() - {"tool", "meta", "facts", "is_error", "error_class", "content"}
    if unknown:
        raise UnknownShape(f"a result with {sorted(unknown)}")
    name, meta, facts = result["tool"], result.get("meta") or {}, result.get("facts") or {}
    more = {"facts": verification(name, facts)} if verification(name, facts) else {}
    failed, path = bool(result.get("is_error")), path_of(meta)
    if name == "bash":
        return _command(stage, meta, more)
    if name in MOVES:
        return _moved(stage, name, meta)
    if name in WRITES and path and not noop(meta) and not failed:
        stage.write(path, str(meta.get("written_content", "new")))
        return ended(stage, tool(name, path=path, content="new"), **more)
    if path and not failed:
        return ended(stage, {**tool(name, path=path), "kind": "read"}, **more)
    return ended(stage, tool(name if name not in WRITES else "tool", path=path), {"ok": not failed}, **more)


def path_of(meta: dict[str, Any]) -> str:
    """The file that a result names; one that only has a diff has changed a file, whichever."""
    path = str(meta.get("path") or "").strip()
    return path or ("changed-by-a-diff.txt" if any("diff" in key and meta[key] for key in meta) else "")


def verification(name: str, facts: dict[str, Any]) -> dict[str, Any]:
    """The facts that a host sends for a verification; one that was not performed is none."""
    if facts.get("verification_performed") is not True:
        return {}
    scope = str(facts.get("scope", ""))
    if facts.get("verification_passed") is not True:
        return {"verification_performed": scope, "verification_failed": scope}
    content = {"content_match": scope.removeprefix("artifact:")} if scope.startswith("artifact:") else {}
    return {"verification_performed": scope, "verification_passed": scope or name, **content}


def _command(stage: Stage, meta: dict[str, Any], more: dict[str, Any]) -> Decision:
    paths = [path.strip() for path in meta.get("workspace_write_paths", ())]
    for path in paths:
        stage.write(path, "new")
    more |= {"changes": [{"path": path, "kind": "write"} for path in paths]} if paths else {}
    result = {"exit_code": meta["exit_code"]} if "exit_code" in meta else {"status": "unknown"}
    command = meta.get("normalized_intent") or meta.get("command") or "./generate"
    return ended(stage, tool("bash", command=command), result, **more)


def _moved(stage: Stage, name: str, meta: dict[str, Any]) -> Decision:
    source, target = stage.workspace / meta["path"], stage.workspace / str(meta.get("to", meta["path"]))
    if name.endswith("create_dir"):
        source.mkdir(parents=True, exist_ok=True)
    elif name.endswith("move_file"):
        shutil.move(source, target)
    elif name.endswith("copy_file"):
        shutil.copy(source, target)
    else:
        source.unlink()
    return ended(stage, tool(name, path=meta["path"]))


def asked(paths: list[str]) -> str:
    """A policy that says of each path and verification what the session knows."""
    rules = ["language 1", 'define any_file = glob("**")']
    for number, path in enumerate(paths):
        for word in ("wrote", "read", "deleted"):
            rules.append(f'rule {word}-{number} "x" {{ on before_completion when {word}({quoted(path)}) warn }}')
        rules.append(f'rule there-{number} "x" {{ on before_completion when file_exists({quoted(path)}) warn }}')
        fact = f'tool_fact("content_match", {quoted(path)})'
        rules.append(f'rule match-{number} "x" {{ on before_completion when {fact} warn }}')
    for word in ("performed", "passed", "failed"):
        told = f'tool_fact("verification_{word}")'
        rules.append(f'rule {word} "x" {{ on before_completion when {told} warn "{{count_{word}}} {{all_{word}}}" }}')
        rules.append(f"define count_{word} = count({told})")
        rules.append(f"define all_{word} = last({told}).text")
    return "\n".join(rules) + "\n"


def collected(case: Case) -> Answer:
    """Which facts the results of a run leave."""
    results, values = case.take("results", "values")
    if values is not None:
        raise Skip("how a host's metadata is decoded is its adapter's business; canonical events have real booleans")
    paths = sorted({path for one in results for path in _paths_of(one)})
    with Stage((asked(paths),)) as stage:
        lay_out(stage, results)
        stage.tell("session_start")
        stage.tell("prompt", prompt="Do it.")
        scopes: dict[str, list[str]] = {"passed": [], "failed": []}
        for one in results:
            report(stage, one)
            for word, told in scopes.items():
                told += _told(stage, f"verification_{word}", one)
        rules = {one.rule: one.message for one in stage.tell("before_completion", answer="done").rules}
    wrote = [path for number, path in enumerate(paths) if f"wrote-{number}" in rules]
    there = [path for number, path in enumerate(paths) if f"there-{number}" in rules]
    count = {word: int(rules[word].split()[0]) if word in rules else 0 for word in ("performed", "passed", "failed")}
    in_order = list(dict.fromkeys(path for one in results for path in _paths_of(one)))
    answer = {
        "commands": _commands(results),
        "written": [path for path in in_order if path in wrote],
        "exists": [path for path in in_order if path in there],
        "exists_includes": there,
        "exists_source": "bash" if any(one["tool"] == "bash" for one in results) and there else "",
        "content_match": [{"path": path, "passed": True} for n, path in enumerate(paths) if f"match-{n}" in rules],
        "verification_performed": count["performed"],
        "verification_passed": count["passed"],
        "verification_failed": count["failed"],
        "performed": count["performed"],
        **scopes,
    }
    return answer


def _told(stage: Stage, name: str, result: dict[str, Any]) -> list[str]:
    """The scope under which the session knows the fact of this result."""
    scope = str((result.get("facts") or {}).get("scope", ""))
    probe = f'language 1\nrule told "x" {{ on before_completion when tool_fact("{name}", {quoted(scope)}) warn }}\n'
    with Stage((probe,)) as other:
        lay_out(other, [result])
        report(other, result)
        return [scope] if other.tell("before_completion", answer="done").rules else []


def _paths_of(result: dict[str, Any]) -> list[str]:
    meta = result.get("meta") or {}
    named = [meta.get("path"), meta.get("to"), *meta.get("workspace_write_paths", ())]
    if result["tool"] == "filesystem_glob" and not result.get("is_error"):
        named += [line for line in str(result.get("content", "")).splitlines() if line != "no matches"]
    return [str(path).strip() for path in named if path and str(path).strip()]


def _commands(results: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Which commands ran, and which of them have proved their success."""
    metas = [one.get("meta") or {} for one in results if one["tool"] == "bash"]
    named = (meta.get("normalized_intent") or meta.get("command") for meta in metas)
    commands = [str(one) for one in named if one]
    proofs = []
    for command in commands:
        proof = f'language 1\nrule proved "x" {{ on before_completion when command_success({quoted(command)}) warn }}\n'
        with Stage((proof,)) as stage:
            lay_out(stage, results)
            for one in results:
                report(stage, one)
            known = stage.tell("before_completion", answer="done").rules
            proofs.append(any(one.outcome == "violated" for one in known))
    return [{"command": one, "succeeded": proof} for one, proof in zip(commands, proofs, strict=True)]


def defects(case: Case) -> Answer:
    """An exit status that nobody told proves nothing, and what is moved or deleted is a change."""
    found = collected(case)
    commands = found["commands"]
    told = bool(commands) and not any(one["succeeded"] for one in commands)
    invented = set(case.expect.get("exists", ())) - set(found["exists"])
    return {**found, SOUND: told or bool(found["written"]) or bool(invented)}


def confirmed(case: Case) -> Answer:
    """A write counts if it ended well, changed something and says which file."""
    result, metas = case.take("result", "meta")
    if metas is not None:
        write = {"tool": "filesystem_write_file", "facts": {"workspace_write": True}}
        said = [_confirms({**write, "meta": {"path": "a.txt", **(meta or {})}}) for meta in metas]
        return {"noop": [not one for one in said]}
    return {"confirmed": _confirms(result)}


def _confirms(result: dict[str, Any]) -> bool:
    probe = 'language 1\nrule wrote "x" { on before_completion when wrote("**") warn }\n'
    if (result.get("facts") or {}).get("workspace_write") is not True:
        return False
    with Stage((probe,)) as stage:
        lay_out(stage, [result])
        stage.tell("session_start")
        stage.tell("prompt", prompt="Do it.")
        report(stage, result)
        return any(one.outcome == "violated" for one in stage.tell("before_completion", answer="done").rules)


STEPS = {
    "confirmed_write": {"tool": "filesystem_write_file", "meta": {"path": "a.txt"}},
    "noop_write": {"tool": "filesystem_write_file", "meta": {"path": "a.txt", "noop_write": True}},
    "verify_passed": {"tool": "verifier", "facts": {"verification_performed": True, "verification_passed": True}},
    "verify_failed": {"tool": "verifier", "facts": {"verification_performed": True, "verification_passed": False}},
    "verify_not_performed": {"tool": "verifier", "facts": {"verification_passed": True}},
    "read": {"tool": "filesystem_read_file", "meta": {"path": "a.txt"}},
}


def state(case: Case) -> Answer:
    """What is still open, as the policy tells it."""
    if "result" in case.given:
        return _error_class(case)
    known = ("has_pending_todos", "has_unverified_writes", "had_tool_calls", "results", "todo_only",
             "todo_state_satisfied", "todos")  # fmt: skip
    pending, unverified, called, results, only, satisfied, todos = case.take(*known)
    steps = [*(["confirmed_write"] if unverified else []), *(results or [])]
    if any(step not in STEPS for step in steps):
        raise UnknownShape(f"the results {results!r}")
    if called:
        played = play([READ, Turn("done")])
        done = [event for event in played.events if event.startswith("acceptance_decided")]
        closing = played.turns_asked == 2 and len(done) == 1
        return {"completed": not closing, "reason": "post_execute_closure_required" if closing else ""}
    listed = [{"id": f"t{number}", **one} for number, one in enumerate(todos or ())]
    listed += [{"id": "t", "status": "pending"}] if pending else []
    if only and satisfied:
        listed = [{**one, "owned": False, "required": False} for one in listed]
    with Stage((POLICY,)) as stage:
        lay_out(stage, [STEPS[step] for step in steps])
        stage.tell("session_start")
        stage.tell("prompt", prompt="Do it.")
        for step in steps:
            report(stage, STEPS[step])
        decision = stage.tell("before_completion", answer="done", todos=listed)
    told = [one.rule for one in decision.rules if one.rule in ("pending_todo", "unverified_write")]
    return {
        "completed": not told and not refused(decision),
        "reason": told[0] if told else "",
        "unverified_write": "unverified_write" in told,
        "blocked_by_pending_todo": "pending_todo" in told,
    }


def _error_class(case: Case) -> Answer:
    (result,) = case.take("result")
    named = str(result.get("error_class") or "").strip()
    said = {"error_class": named} if named else {}
    with Stage((POLICY,)) as stage:
        stage.tell("prompt", prompt="Do it.")
        call = tool(result.get("tool", "filesystem_read_file"), path="a.txt")
        text = str(result.get("content", ""))
        decision = ended(stage, call, {"ok": not result.get("is_error", True), "text": text, **said})
    told = [one.message for one in decision.rules if one.rule.startswith("error_")]
    return {"class": told[0] if told else ""}


AREAS = {
    "facts.collector": collected,
    "facts.confirmed_write": confirmed,
    "quirk.facts": defects,
    "completion.state": state,
}

"""What the areas of neo-code share: its tools as events, its facts as a workspace, decisions in its words."""

from __future__ import annotations

import json
import posixpath
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from policy_engine.model.decision import Decision
from policy_engine.model.ladder import RANK
from tools.seeds.base import Stage, UnknownShape

POLICY = "rules/compat/neocode.policy"
FOLDER = "rules/compat/neocode"
PLAN_MADE = datetime(2026, 1, 1, tzinfo=UTC)
UNITS = {"s": "seconds", "m": "minutes", "h": "hours"}
KINDS = {
    "bash": "shell", "filesystem_read_file": "read", "filesystem_write_file": "write", "filesystem_edit": "edit",
    "filesystem_glob": "search", "filesystem_grep": "search", "codebase_search_text": "search",
    "codebase_search_symbol": "search", "webfetch": "fetch", "todo_write": "todo", "spawn_subagent": "agent",
    "verify": "shell",
}  # fmt: skip


def tool(name: str, **args: Any) -> dict[str, Any]:
    """A call of one of its tools."""
    if name.startswith("mcp."):
        server, _, _ = name.removeprefix("mcp.").rpartition(".")
        return {"name": name, "kind": "mcp", "server": server, "args": args}
    return {"name": name, "kind": KINDS.get(name, "other"), "args": args}


def refused(decision: Decision) -> bool:
    """Whether the agent may not do it."""
    return RANK[decision.verdict] >= RANK["ask"]


def moment(text: str | None) -> dict[str, str]:
    """`T0`, `T0+1m`, `T0-1m` → when something was created; nothing where it is not known."""
    if text is None:
        return {}
    sign = -1 if "-" in text else 1
    base, _, shift = text.replace("-", "+").partition("+")
    if base != "T0" or (shift and shift[-1] not in UNITS):
        raise UnknownShape(f"the time {text!r}")
    delta = timedelta(**{UNITS[shift[-1]]: int(shift[:-1])}) if shift else timedelta()
    return {"created": (PLAN_MADE + sign * delta).isoformat()}


def todo(raw: dict[str, Any], owned: bool | None = None) -> dict[str, Any]:
    """One of its todos as hosts send them."""
    kept = ("id", "status", "required", "revision", "dependencies", "supersedes", "blocked_reason")
    found = {key: raw[key] for key in kept if key in raw}
    found |= {"title": raw["content"]} if "content" in raw else {}
    found |= {"owned": owned} if owned is not None else {}
    return {"id": "todo", "status": "pending", **found, **moment(raw.get("created_at"))}


def replay_facts(stage: Stage, facts: dict[str, Any]) -> None:
    """What the run is known to have done, as a prompt and events in a workspace where it did it."""
    unknown = facts.keys() - {"commands", "written", "exists", "content_match", "verification_passed"}
    if unknown:
        raise UnknownShape(f"the facts {sorted(unknown)}")
    for fact in facts.get("content_match", ()):
        expected = fact.get("expected", [])
        stage.write(_inside(fact["path"]), "\n".join(expected) if fact["passed"] else "nothing of the kind")
    for fact in facts.get("exists", ()):
        if not (stage.workspace / _inside(fact["path"])).exists():
            stage.write(_inside(fact["path"]), "there")
    stage.tell("prompt", prompt="Do it.")
    for fact in facts.get("exists", ()):
        _exists(stage, fact)
    for fact in facts.get("content_match", ()):
        _content(stage, fact)
    for fact in facts.get("written", ()):
        stage.write(_inside(fact["path"]), "written")
        ended(stage, tool("filesystem_write_file", path=fact["path"], content="written"))
    for fact in facts.get("commands", ()):
        ended(stage, tool("bash", command=fact["command"]), {"exit_code": 0 if fact["ok"] else 1})
    for fact in facts.get("verification_passed", ()):
        verified(stage, fact["tool"], fact.get("scope", ""))


def verified(stage: Stage, name: str, scope: str) -> None:
    """A tool reports that it verified something."""
    told = {"verification": f"{name.lower()}:{scope}", "verification_tool": name.lower(), "verification_scope": scope}
    ended(stage, tool("verifier"), facts={**told, "verification_passed": scope or name})


def _exists(stage: Stage, fact: dict[str, Any]) -> None:
    path = _inside(fact["path"])
    source = fact.get("source", "filesystem_read_file")
    if source in ("bash", "workspace_write"):
        change = {"path": path, "kind": "write"}
        ended(stage, tool("bash", command="./generate"), {"exit_code": 0}, changes=[change])
    elif source not in KINDS:
        raise UnknownShape(f"the source {source!r} of a fact")
    else:
        ended(stage, tool(source, path=str(stage.workspace / path)))


def _content(stage: Stage, fact: dict[str, Any]) -> None:
    path = posixpath.normpath(_inside(fact["path"]))
    facts = {"facts": {"content_match": path}} if fact["passed"] else {}
    ended(stage, tool("filesystem_read_file", path=path), **facts)


def _inside(path: str) -> str:
    """A path relative to the workspace; absolute ones are those of the recorded workspace."""
    return path.removeprefix("/home/dev/proj/") if path.startswith("/") else path


def ended(stage: Stage, call: dict[str, Any], result: dict[str, Any] | None = None, **more: Any) -> Decision:
    """A tool call that ran to its end; well, and without a word, unless `result` says more."""
    found = {"ok": True, "text": "", **(result or {})}
    if "exit_code" in found:
        found["ok"] = found["exit_code"] == 0
    return stage.tell("after_tool", tool=call, result=found, **more)


def arguments(raw: Any) -> dict[str, Any]:
    """Arguments as its model sent them: an object, JSON text, or text that is none."""
    if isinstance(raw, dict):
        return raw
    try:
        found = json.loads(raw)
    except (TypeError, ValueError):
        found = None
    return found if isinstance(found, dict) else {"unparsable": str(raw)}


def reasons(decision: Decision, rules: Iterable[str]) -> list[str]:
    """The texts of the rules that spoke, of those named."""
    wanted = set(rules)
    return [one.message for one in decision.rules if one.rule in wanted]

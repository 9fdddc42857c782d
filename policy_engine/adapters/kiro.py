"""Adapter of Kiro CLI: decode its hook payloads, encode decisions as exit status, and register its hooks.

By its documentation (agent files of 2.x); nothing of it could be measured, for the agent is in no package registry.
`preToolUse` refuses with exit 2 and a reason on standard error; what `agentSpawn` and `userPromptSubmit` print is
added to the context. Hooks belong to an agent: only sessions of the agent in our file are guarded.
"""

from __future__ import annotations

from policy_engine.adapters.base import Adapter, Capability, Registration, needed, optional, result_text
from policy_engine.protocol import call, status

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.adapters.base import Environment

NAME = "kiro"
CAPABILITIES = {
    "agentSpawn": Capability("session_start", False, "remind", "context"),
    "userPromptSubmit": Capability("prompt", False, "remind", "context"),
    "preToolUse": Capability("before_tool", True, "deny"),
    "postToolUse": Capability("after_tool", False, ""),
    "stop": Capability("before_completion", False, ""),
}
_KINDS = {
    "execute_bash": "shell", "shell": "shell", "execute_cmd": "shell", "fs_read": "read", "read": "read",
    "fs_write": "write", "write": "write", "grep": "search", "glob": "search", "web_fetch": "fetch",
    "web_search": "fetch", "use_subagent": "agent", "delegate": "agent", "todo_list": "todo",
}  # fmt: skip
DIALECT = call.Dialect(NAME, CAPABILITIES, frozenset(), _KINDS, mcp=("@", "/"))


def decode(payload: Any, event_name: str | None, environment: Environment) -> dict[str, Any] | None:
    """The canonical event of one hook payload. Raises EventError."""
    native = DIALECT.native(payload, event_name)
    cwd = needed(payload, "cwd")
    event: dict[str, Any] = {
        "hook": CAPABILITIES[native].point,
        "session": optional(payload, "session_id") or f"kiro:{cwd}",
        "cwd": cwd,
        "workspace": cwd,
        "agent": call.agent("", ""),
        "host": {"name": NAME},
    }
    if native == "userPromptSubmit":
        return {**event, "prompt": needed(payload, "prompt", empty=True)}
    if native in ("preToolUse", "postToolUse"):
        kind = DIALECT.tool(event, needed(payload, "tool_name"), payload.get("tool_input"))
        if kind in ("read", "write") and type(event["tool"]["args"].get("operations")) is list:
            event["tool"]["args"] = _operations(event["tool"]["args"])
        if native == "postToolUse":
            event["result"] = _result(kind, payload.get("tool_response"))
    return event


def _operations(arguments: dict[str, Any]) -> dict[str, Any]:
    """Several files at once: their paths, where the other hosts have theirs."""
    paths = [item.get("path", item.get("file_path")) for item in arguments["operations"] if type(item) is dict]
    return {**arguments, "file_path": paths[0], "paths": paths} if paths else arguments


def _result(kind: str, response: Any) -> dict[str, Any]:
    text = result_text(response)
    done = response.get("success") if type(response) is dict else None
    if kind == "shell" or type(done) is not bool:
        return {"text": text, "status": "unknown"}
    return {"ok": done, "text": text, "status": "completed" if done else "failed"}


REGISTRATION = Registration(
    home_folder=".kiro",
    user_settings="agents/policy-engine.json",
    project_settings=".kiro/agents/policy-engine.json",
    events=tuple((name, "*" if name.endswith("ToolUse") else None) for name in CAPABILITIES),
    timeout=60,
    form="flat",
    handler={},
    clock=("timeout_ms", 1_000),
    head={"name": "policy-engine", "description": "The default agent, guarded by policies", "tools": ["*"]},
    afterwards="Hooks belong to an agent: start `kiro-cli chat --agent policy-engine`, or make it the default with"
    " `kiro-cli agent set-default policy-engine`.",
)
ADAPTER = Adapter(
    NAME, decode, status.encoder(CAPABILITIES), status.failing(CAPABILITIES, frozenset()), CAPABILITIES, REGISTRATION,
    continuation_cap=0,
    lacks={
        "result.exit_code": "it never comes", "result.ok": "of a shell command", "tool.id": "calls have no identity",
        "answer": "it never comes",
    },
    evidence="documentation",
    failures={"exit 2": "refused", "anything else": "a warning; the call runs"},
)  # fmt: skip

"""Adapter of GitHub Copilot CLI: decode its hook payloads, encode its hook answers, and register its hooks.

Measured against 1.0.102 with a scripted model. What shaped this file:

- Registered under PascalCase names the client speaks Claude Code's protocol, with `tool_result`, except that what the
  model is to read stands outermost, and that a beginning sub-agent's payload does not name its event: the command line
  does. Under camelCase names the payload is flat. Both are read; PermissionRequest is always in camelCase.
- With exit 2 the client loses the reason, so that a refusal leaves with exit 0 and its JSON alone; after a completion
  exit 2 is a warning. `ask` where nobody is there is refused by the client itself.
- A command that fails is reported as a success: its exit status ends its text. What is typed into a shell that
  stays open (`write_bash`) is asked about, and is a command line.
- A sub-agent's calls come under a session of its own, which is its identity; its end also comes as the end of an
  agent, with that identity, and is told apart by it.
- A permission request renames the call. Every call was asked about before it, so that it is not registered.
"""

from __future__ import annotations

from policy_engine.adapters.base import Adapter, Capability, Registration, needed, optional
from policy_engine.model.errors import EventError
from policy_engine.model.strict_json import read_json
from policy_engine.protocol import call
from policy_engine.protocol.payload import ended

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.adapters.base import Environment

NAME = "copilot"
_PASCAL = {
    "SessionStart": Capability("session_start", False, "remind", "context flat"),
    "UserPromptSubmit": Capability("prompt", True, "remind deny", "block context flat"),
    "PreToolUse": Capability("before_tool", True, "remind ask deny", "permission asks context"),
    "PostToolUse": Capability("after_tool", False, "remind", "context flat"),
    "PostToolUseFailure": Capability("after_tool", False, ""),
    "Stop": Capability("before_completion", True, "deny stop", "block marks"),
    "SubagentStart": Capability("subagent_start", False, "remind", "context flat"),
    "SubagentStop": Capability("subagent_completion", True, "deny stop", "block marks"),
    "PreCompact": Capability("before_compact", False, ""),
    "SessionEnd": Capability("session_end", False, ""),
}
_CAMEL = {
    "sessionStart": "SessionStart", "userPromptSubmitted": "UserPromptSubmit", "preToolUse": "PreToolUse",
    "postToolUse": "PostToolUse", "postToolUseFailure": "PostToolUseFailure", "agentStop": "Stop",
    "subagentStart": "SubagentStart", "subagentStop": "SubagentStop", "preCompact": "PreCompact",
    "sessionEnd": "SessionEnd",
}  # fmt: skip
_PERMISSION = Capability("before_permission", False, "ask")
CAPABILITIES = {
    **_PASCAL,
    **{
        camel: Capability(known.point, known.gate, " ".join(known.enforces), " ".join((*known.form, "flat")))
        for camel, known in ((camel, _PASCAL[name]) for camel, name in _CAMEL.items())
    },
    "PermissionRequest": _PERMISSION,
    "permissionRequest": _PERMISSION,
}
_IGNORED = frozenset(("errorOccurred", "ErrorOccurred", "notification", "Notification"))
_KINDS = {
    "bash": "shell", "Bash": "shell", "powershell": "shell", "PowerShell": "shell", "write_bash": "shell",
    "write_powershell": "shell", "create": "write", "Create": "write", "Write": "write", "edit": "edit", "Edit": "edit",
    "str_replace_editor": "edit", "apply_patch": "edit", "view": "read", "View": "read", "Read": "read",
    "grep": "search", "Grep": "search", "glob": "search", "Glob": "search", "web_fetch": "fetch", "WebFetch": "fetch",
    "web_search": "fetch", "task": "agent", "Agent": "agent", "Task": "agent", "update_todo": "todo",
}  # fmt: skip
DIALECT = call.Dialect(
    NAME,
    CAPABILITIES,
    _IGNORED,
    _KINDS,
    "COPILOT_PROJECT_DIR",
    aliases={"old_str": "old_string", "new_str": "new_string"},
)
_SNAKE = {
    "hookName": "hook_event_name", "sessionId": "session_id", "toolName": "tool_name", "toolArgs": "tool_input",
    "toolInput": "tool_input", "toolResult": "tool_result", "agentId": "agent_id", "agentType": "agent_type",
    "parentAgentId": "parent_agent_id", "resultType": "result_type", "textResultForLlm": "text_result_for_llm",
}  # fmt: skip
_TOOL_POINTS = ("before_tool", "before_permission", "after_tool")
_END, _STARTED = "<shellId: ", "<command started in background with shellId: "
_CODE = " completed with exit code "


def decode(payload: Any, event_name: str | None, environment: Environment) -> dict[str, Any] | None:
    """The canonical event of one hook payload; None if it is no lifecycle point. Raises EventError."""
    payload = _snake(payload) if type(payload) is dict else payload
    permission = type(payload) is dict and payload.get("hook_event_name") == "permissionRequest"
    if permission and event_name in ("permissionRequest", "PermissionRequest"):
        event_name = "permissionRequest"  # the only event whose payload has its own name for itself
    native = DIALECT.native(payload, event_name)
    if not native:
        return None
    point = CAPABILITIES[native].point
    if point == "before_completion" and optional(payload, "agent_id"):
        return None  # a sub-agent, whose end has an event of its own
    event = DIALECT.head(payload, native, environment)
    if event["agent"].get("id") == event["session"]:
        event["session"] = optional(payload, "parent_agent_id") or event["session"]
    if point in _TOOL_POINTS:
        return _tool_event(event, payload, native)
    if point == "prompt":
        text = needed(payload, "prompt", empty=True)
        return {**event, "prompt": text} if call.human(text) else None
    return call.details(event, payload)


def _snake(payload: dict[str, Any]) -> dict[str, Any]:
    """The payload by the names of the PascalCase registration. Raises EventError if it has both and they differ."""
    converted: dict[str, Any] = {}
    for key, value in payload.items():
        name = _SNAKE.get(key, key)
        if converted.setdefault(name, value) != value:
            raise EventError("E-DUPKEY", f"two keys read `{name}`")
    return converted


def _tool_event(event: dict[str, Any], payload: dict[str, Any], native: str) -> dict[str, Any]:
    name, arguments = needed(payload, "tool_name"), payload.get("tool_input")
    if type(arguments) is str:
        arguments = read_json(arguments.encode("utf-8", "surrogatepass"))
    if type(arguments) is dict and name.startswith("write_"):
        arguments = {**arguments, "command": needed(arguments, "input", empty=True)}
    if type(arguments) is dict and name.lower().endswith("powershell"):
        arguments = {**arguments, "shell": "powershell"}  # no shell that we read: its commands are undecided
    kind = DIALECT.tool(event, name, arguments)
    if event["hook"] == "after_tool":
        given = payload.get("tool_result")
        result = _snake(given) if type(given) is dict else {}
        text = optional(result, "text_result_for_llm") or optional(payload, "error")
        event["result"] = _result(name, kind, optional(result, "result_type"), text)
        if native.lower().endswith("failure"):
            event["result"] = {"ok": False, "text": text, "status": "failed"}
    return event


def _result(name: str, kind: str, state: str, text: str) -> dict[str, Any]:
    if state in ("rejected", "denied"):
        return {"ok": False, "text": text, "status": "blocked"}
    if kind != "shell":
        known = {"success": "completed", "failure": "failed"}.get(state, "unknown")
        return {"text": text, "status": known, **({} if known == "unknown" else {"ok": known == "completed"})}
    last = text.rstrip().rpartition("\n")[2]
    if last.startswith(_STARTED):
        return {"text": text, "status": "running"}
    code = last.rpartition(_CODE)[2].removesuffix(">")
    if last.startswith(_END) and _CODE in last and code.isascii() and code.isdigit() and not name.startswith("write_"):
        return ended(text, code)
    return {"text": text, "status": "unknown"}


REGISTRATION = Registration(
    home_folder=".copilot",
    user_settings="hooks/policy-engine.json",
    project_settings=".github/hooks/policy-engine.json",
    events=tuple((name, None) for name in _PASCAL),
    timeout=60,
    longer={"Stop": 3_600},
    form="flat",
    handler={"type": "command"},
    clock=("timeoutSec", 1),
    command="bash",
    named=True,
    head={"version": 1},
    http=True,
    switches=(("disableAllHooks", "switches every hook of the file off"),),
    afterwards="Hooks of a repository run only in a folder that Copilot trusts (`--trust-folder` for `copilot -p`);"
    " those of the user always do.",
)
ADAPTER = Adapter(
    NAME, decode, DIALECT.encode, DIALECT.failure, CAPABILITIES, REGISTRATION, continuation_cap=8,
    denies=DIALECT.denies, other_event_key="hookName", workspace_variable=DIALECT.project,
    lacks={"tool.id": "calls have no identity", "answer": "it never comes", "result.timed_out": "it never comes"},
    evidence="measured, 1.0.102",
    failures={
        "exit 1, missing, killed": "closed: the call is refused",
        "time-out": "open: the call runs",
        "exit 2": "refused, without the reason",
        "folder not trusted": "open, silently, for hooks of the repository",
    },
)  # fmt: skip

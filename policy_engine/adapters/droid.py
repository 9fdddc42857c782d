"""Adapter of Factory droid: decode its hook payloads, encode its hook answers, and register its hooks.

Claude Code's protocol with tools of its own; measured against 0.215.0 with a scripted model. What shaped this file:

- A command that fails has no event after it. What says that it succeeded ends its text; the rest is unknown.
- `ask` under `--skip-permissions-unsafe` lets the call run, and the payload does not tell: `ask` refuses.
- `droid exec` does not report prompts. Calls have no identity.
- `continue: false` ends the run before the tool.
- A sub-agent is a session of its own: its `Stop` comes as one, and when `SubagentStop` comes it has ended.
"""

from __future__ import annotations

from policy_engine.adapters.base import Adapter, Capability, Registration, needed, optional, result_text
from policy_engine.protocol import call
from policy_engine.protocol.payload import ended, plan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.adapters.base import Environment

NAME = "droid"
CAPABILITIES = {
    "SessionStart": Capability("session_start", False, "warn remind", "context message"),
    "UserPromptSubmit": Capability("prompt", True, "warn remind deny stop", "block halts context message exit"),
    "PreToolUse": Capability("before_tool", True, "warn deny stop", "permission halts message exit"),
    "PostToolUse": Capability("after_tool", False, "warn remind stop", "halts context message"),
    "Stop": Capability("before_completion", True, "warn deny stop", "block halts message marks exit"),
    "SubagentStop": Capability("subagent_completion", False, "warn", "message"),
    "PreCompact": Capability("before_compact", False, "warn", "message"),
    "SessionEnd": Capability("session_end", False, ""),
}
_IGNORED = frozenset(("Notification",))
_KINDS = {
    "Execute": "shell", "Create": "write", "Edit": "edit", "MultiEdit": "edit", "ApplyPatch": "edit", "Read": "read",
    "LS": "search", "Grep": "search", "Glob": "search", "FetchUrl": "fetch", "WebSearch": "fetch", "Task": "agent",
    "TodoWrite": "todo",
}  # fmt: skip
DIALECT = call.Dialect(
    NAME, CAPABILITIES, _IGNORED, _KINDS, "FACTORY_PROJECT_DIR",
    aliases={"directory_path": "path", "folder": "path", "old_str": "old_string", "new_str": "new_string"},
)  # fmt: skip
_END = "\n[Process exited with code "


def decode(payload: Any, event_name: str | None, environment: Environment) -> dict[str, Any] | None:
    """The canonical event of one hook payload; None if it is no lifecycle point. Raises EventError."""
    native = DIALECT.native(payload, event_name)
    if not native:
        return None
    event = DIALECT.head(payload, native, environment)
    if native in ("PreToolUse", "PostToolUse"):
        return _tool_event(event, payload, native)
    if native == "UserPromptSubmit":
        text = needed(payload, "prompt", empty=True)
        return {**event, "prompt": text} if call.human(text) else None
    return call.details(event, payload)


def _tool_event(event: dict[str, Any], payload: dict[str, Any], native: str) -> dict[str, Any]:
    name = needed(payload, "tool_name")
    kind = DIALECT.tool(event, name, payload.get("tool_input"), optional(payload, "tool_use_id"))
    arguments = event["tool"]["args"]
    if native == "PostToolUse":
        event["result"] = _result(kind, arguments, payload.get("tool_response"))
        if name == "TodoWrite" and type(arguments.get("todos")) is list:
            event["todos"] = plan(arguments["todos"], "content")
    return event


def _result(kind: str, arguments: dict[str, Any], response: Any) -> dict[str, Any]:
    text = result_text(response)
    if kind != "shell":
        return {"ok": True, "text": text, "status": "completed"}
    if arguments.get("fireAndForget", False) is not False:
        return {"text": text, "status": "running"}
    code = f"\n{text.rstrip()}".rpartition(_END)[2].removesuffix("]")
    if text.rstrip().endswith("]") and code.isascii() and code.isdigit():
        return ended(text, code)
    return {"text": text, "status": "unknown"}


REGISTRATION = Registration(
    home_folder=".factory",
    user_settings="settings.json",
    project_settings=".factory/settings.json",
    other_settings=(".factory/settings.local.json", ".factory/hooks.json"),
    events=tuple((name, "*" if name.endswith("ToolUse") else None) for name in CAPABILITIES),
    timeout=60,
    longer={"Stop": 3_600},
    switches=(("hooksDisabled", "switches every hook off"),),
)
ADAPTER = Adapter(
    NAME, decode, DIALECT.encode, DIALECT.failure, CAPABILITIES, REGISTRATION, continuation_cap=0,
    denies=DIALECT.denies, workspace_variable=DIALECT.project,
    lacks={
        "result.exit_code": "of a command that failed, for that has no event; 0 of one that succeeded comes",
        "tool.id": "calls have no identity",
        "prompt": "in `droid exec`",
        "answer": "it never comes",
        "result.timed_out": "it never comes",
    },
    reports=("todos", "plan.open_steps"),
    evidence="measured, 0.215.0",
    failures={
        "exit 1, missing, killed": "the registered line refuses",
        "exit 3": "the run is aborted",
        "time-out, SIGKILL of the line": "open: the call runs",
        "exit 2": "refused",
    },
)  # fmt: skip

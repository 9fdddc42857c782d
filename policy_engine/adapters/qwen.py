"""Adapter of Qwen Code: decode its hook payloads, encode its hook answers, and register its hooks.

Claude Code's protocol with Gemini's tools; measured against 0.24.4 with a scripted model. What shaped this file:

- UserPromptSubmit fires before every round of the model, without a text, and with our own reason after a refused
  completion. Only what somebody submitted has `submitted_prompt`; only that is a prompt.
- With exit 2 the client reads standard error only, and an empty one is consent. Both channels say the same.
- The exit status of a shell stands behind its output, in a frame of lines. A failure is an event of its own.
- A timeout of 1,000 or more is read as milliseconds: none that is registered here is so long.
- After a completion `continue: false` does not end the run: its reason sends the agent on, as a refusal does. What
  stops is therefore only shown, and the run ends by itself.
- Before a tool `continue: false` holds back that call, and the run goes on; after a round it takes the results away.
- Another input for a call (`updatedInput`) has no effect, nor has context before a tool or for a sub-agent.
"""

from __future__ import annotations

from policy_engine.adapters.base import Adapter, Capability, Registration, needed, optional, result_text
from policy_engine.protocol import call
from policy_engine.protocol.payload import ended, mark_plan, plan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.adapters.base import Environment

NAME = "qwen"
CAPABILITIES = {
    "SessionStart": Capability("session_start", False, "warn remind", "context message"),
    "UserPromptSubmit": Capability("prompt", True, "warn remind deny stop", "block halts context message exit"),
    "PreToolUse": Capability("before_tool", True, "warn ask deny", "permission approves halts message exit"),
    "PermissionRequest": Capability("before_permission", True, "warn ask deny", "behavior message exit"),
    "PostToolUse": Capability("after_tool", False, "warn remind", "context message"),
    "PostToolUseFailure": Capability("after_tool", False, "warn remind", "context message"),
    "PostToolBatch": Capability("after_round", False, "warn remind", "context message"),
    "Stop": Capability("before_completion", True, "warn deny stop", "block message marks exit"),
    "SubagentStart": Capability("subagent_start", False, "warn", "message"),
    "SubagentStop": Capability("subagent_completion", True, "warn deny stop", "block message marks exit"),
    "PreCompact": Capability("before_compact", False, "warn", "message"),
    "PostCompact": Capability("after_compact", False, ""),
    "SessionEnd": Capability("session_end", False, ""),
}
_IGNORED = frozenset(
    (
        "Notification", "UserPromptExpansion", "StopFailure", "PermissionDenied", "SessionDelete", "MessageDisplay",
        "TodoCreated", "TodoCompleted", "InstructionsLoaded",
    )
)  # fmt: skip
_KINDS = {
    "run_shell_command": "shell", "write_file": "write", "edit": "edit", "replace": "edit", "notebook_edit": "edit",
    "read_file": "read", "list_directory": "search", "glob": "search", "grep_search": "search",
    "search_file_content": "search", "web_fetch": "fetch", "web_search": "fetch", "agent": "agent", "task": "agent",
    "todo_write": "todo",
}  # fmt: skip
_ASKABLE = frozenset(("", "default", "plan", "auto_edit"))  # the client refuses by itself where nobody can be asked
DIALECT = call.Dialect(NAME, CAPABILITIES, _IGNORED, _KINDS, "QWEN_PROJECT_DIR", _ASKABLE, aliases={"dir_path": "path"})
_TOOL_EVENTS = frozenset(("PreToolUse", "PermissionRequest", "PostToolUse", "PostToolUseFailure"))


def decode(payload: Any, event_name: str | None, environment: Environment) -> dict[str, Any] | None:
    """The canonical event of one hook payload; None if it is no lifecycle point. Raises EventError."""
    native = DIALECT.native(payload, event_name)
    if not native:
        return None
    event = DIALECT.head(payload, native, environment)
    if native in _TOOL_EVENTS:
        return _tool_event(event, payload, native)
    if native == "UserPromptSubmit":
        text = needed(payload, "prompt", empty=True)
        return {**event, "prompt": text} if optional(payload, "submitted_prompt") and call.human(text) else None
    if native in ("Stop", "SubagentStop"):
        if native == "Stop" and call.waiting(payload):
            return None
        return {**event, "answer": optional(payload, "last_assistant_message")}
    return call.details(event, payload)


def _tool_event(event: dict[str, Any], payload: dict[str, Any], native: str) -> dict[str, Any]:
    name = needed(payload, "tool_name")
    kind = DIALECT.tool(event, name, payload.get("tool_input"), optional(payload, "tool_use_id"))
    arguments = event["tool"]["args"]
    if native == "PostToolUse":
        event["result"] = _result(kind, arguments, payload.get("tool_response"))
        if name == "todo_write" and type(arguments.get("todos")) is list:
            event["todos"] = plan(arguments["todos"], "content")
        elif name == "exit_plan_mode" and event["result"]["text"].startswith("User has approved your plan"):
            mark_plan(event, approved=True)  # a plan that the person rejects is a result as well
    elif native == "PostToolUseFailure":
        text = optional(payload, "error")
        failed = {"ok": False, "text": text, "status": "failed"}
        code = _code(text) if kind == "shell" else ""
        event["result"] = {**ended(text, code), "ok": False, "status": "failed"} if code else failed
    return event


def _result(kind: str, arguments: dict[str, Any], response: Any) -> dict[str, Any]:
    facts = response if type(response) is dict else {}
    text = result_text(facts.get("llmContent", response))
    if arguments.get("is_background", False) is not False:
        return {"text": text, "status": "running"}
    if kind != "shell":
        return {"ok": True, "text": text, "status": "completed"}
    code = _code(text)
    return ended(text, code) if code else {"text": text, "status": "unknown"}


def _code(text: str) -> str:
    """The exit status in the frame behind a command's output, where no signal ended it; a command can print one too."""
    lines = text.removesuffix("\n").split("\n")[-3:]
    heads = ("Exit Code: ", "Signal: ", "Process Group PGID: ")
    if len(lines) != len(heads) or not all(line.startswith(head) for line, head in zip(lines, heads, strict=True)):
        return ""
    code = lines[0].removeprefix(heads[0])
    return code if code.isascii() and code.isdigit() and lines[1] in ("Signal: (none)", "Signal: 0") else ""


REGISTRATION = Registration(
    home_folder=".qwen",
    user_settings="settings.json",
    project_settings=".qwen/settings.json",
    managed_settings=("/etc/qwen-code/settings.json",),
    events=tuple((name, "*" if name in _TOOL_EVENTS else None) for name in CAPABILITIES),
    timeout=60,
    longer={"Stop": 900},
    http=True,
    handler={"type": "command", "name": "policy-engine"},
    switches=(("disableAllHooks", "switches every hook off"),),
    variables=(
        ("QWEN_CODE_SIMPLE", "starts the client without hooks"),
        ("QWEN_CODE_SAFE_MODE", "starts the client without hooks"),
    ),
    afterwards="Hooks of a project run only in a folder that Qwen trusts.",
)
ADAPTER = Adapter(
    NAME, decode, DIALECT.encode, DIALECT.failure, CAPABILITIES, REGISTRATION, continuation_cap=8,
    cap_variable="QWEN_CODE_STOP_HOOK_BLOCK_CAP",
    denies=DIALECT.denies, workspace_variable=DIALECT.project,
    lacks={"result.timed_out": "it never comes"},
    one_process=True,
    reports=("todos", "plan.open_steps", "plan.status", "host.interactive", "host.mode"),
    evidence="measured, 0.24.4",
    failures={
        "exit 1, missing, killed": "the registered line refuses",
        "time-out, SIGKILL of the line": "open: the call runs",
        "exit 2": "refused",
    },
)  # fmt: skip

"""Adapter of Claude Code: decode its hook payloads, encode its hook answers, and register its hooks.

Measured against 2.1.329 with a scripted model. What shaped this file:

- A denial goes out as JSON on standard output and as exit 2 with the reason on standard error; the client reads both
  and shows the JSON's base.reason, so neither channel is needed for the other. `continue: false` survives exit 2.
- `continue: false` before a tool does not hold back that tool, so `stop` is sent together with `deny`.
- After a completion (`Stop`, `SubagentStop`) `additionalContext` and exit 2 both force the agent on. Hence `remind` is
  only shown to the person there, and `stop` leaves with exit 0.
- PostToolUse of a shell need not mean exit 0: `returnCodeInterpretation` marks a `grep`, `diff` or `test` that gave 1.
- `Monitor` runs a shell command. Background calls report at once, without a result.
- A finished background task arrives as a prompt nobody typed, and scheduled prompts are written by the model itself:
  such prompts are no `prompt`, or they would count as a person's word.
- While a sub-agent runs in the background the main agent pauses with `Stop` and is resumed later: no completion yet.
"""

from __future__ import annotations

from policy_engine.adapters.base import (
    Adapter,
    Answer,
    Capability,
    Registration,
    needed,
    optional,
    result_text,
)
from policy_engine.protocol import call, reply
from policy_engine.protocol.payload import mark_plan, records, todo, variable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.adapters.base import Environment
    from policy_engine.model.decision import Decision
    from policy_engine.model.event import Event

NAME = "claude-code"

CAPABILITIES = {
    "SessionStart": Capability("session_start", False, "warn remind", "context message"),
    "UserPromptSubmit": Capability("prompt", True, "warn remind deny stop", "block halts context message exit"),
    "PreToolUse": Capability(
        "before_tool", True, "warn remind ask deny stop", "permission approves halts context message exit"
    ),
    "ConfigChange": Capability("before_tool", True, "warn deny", "block message exit"),
    "PermissionRequest": Capability("before_permission", True, "ask deny stop", "behavior interrupt message exit"),
    "PostToolUse": Capability("after_tool", False, "warn remind stop", "halts context message exit"),
    "PostToolUseFailure": Capability("after_tool", False, "warn remind", "context message"),
    "PostToolBatch": Capability("after_round", False, "warn remind stop", "halts context message exit"),
    "Stop": Capability("before_completion", True, "warn deny stop", "block halts message exit"),
    "SubagentStart": Capability("subagent_start", False, "warn remind", "context message"),
    "SubagentStop": Capability("subagent_completion", True, "warn deny stop", "block halts message exit"),
    "PreCompact": Capability("before_compact", True, "warn deny", "block message exit"),
    "PostCompact": Capability("after_compact", False, "warn", "message"),
    "SessionEnd": Capability("session_end", False, ""),
}
# Known to the client and no lifecycle point; any other name is refused, for it may be a gate of a later version.
_IGNORED = frozenset(
    (
        "Notification", "UserPromptExpansion", "StopFailure", "PreModelSwitch", "PostModelSwitch", "PermissionDenied",
        "Setup", "TeammateIdle", "TaskCreated", "TaskCompleted", "Elicitation", "ElicitationResult", "WorktreeCreate",
        "WorktreeRemove", "InstructionsLoaded", "CwdChanged", "FileChanged", "DirectoryAdded", "MessageDisplay",
    )
)  # fmt: skip
_KINDS = {
    "Bash": "shell", "PowerShell": "shell", "Write": "write", "Edit": "edit", "MultiEdit": "edit",
    "NotebookEdit": "edit", "Read": "read", "NotebookRead": "read", "Grep": "search", "Glob": "search", "LS": "search",
    "WebFetch": "fetch", "WebSearch": "fetch", "Agent": "agent", "Task": "agent", "TodoWrite": "todo",
    "TodoRead": "todo", "TaskCreate": "todo", "TaskUpdate": "todo", "TaskGet": "todo", "TaskList": "todo",
}  # fmt: skip
_TOOL_EVENTS = frozenset(("PreToolUse", "PermissionRequest", "PostToolUse", "PostToolUseFailure"))
_ASKABLE_MODES = frozenset(("", "default", "plan", "acceptEdits"))  # in the others the client itself decides
DIALECT = call.Dialect(NAME, CAPABILITIES, _IGNORED, _KINDS, "CLAUDE_PROJECT_DIR", _ASKABLE_MODES)
_MACHINE_PROMPTS = frozenset(("system", "loop_wakeup", "schedule_wakeup", "poll_event"))


def decode(payload: Any, event_name: str | None, environment: Environment) -> dict[str, Any] | None:
    """The canonical event of one hook payload; None if it is no lifecycle point. Raises EventError."""
    native = DIALECT.native(payload, event_name)
    if not native or (native == "SubagentStop" and payload.get("agent_type") == ""):
        return None  # the latter is the client's own helper for compaction; no sub-agent was started for it
    event = DIALECT.head(payload, native, environment)
    # The client says whether a person attends; versions that do not say so refuse by themselves what they cannot ask.
    event["host"]["interactive"] &= variable(environment, "CLAUDE_CODE_SESSION_ATTENDED") != "0"
    if native in _TOOL_EVENTS:
        return _tool_event(event, payload, native)
    if native == "UserPromptSubmit":
        return _prompt(event, payload)
    if native in ("Stop", "SubagentStop"):
        return _completion(event, payload, native)
    if native == "ConfigChange":
        arguments = {"file_path": needed(payload, "file_path"), "source": optional(payload, "source")}
        event["tool"] = {"name": "ConfigChange", "kind": "edit", "args": arguments}
        return event
    return call.details(event, payload)


_MACHINE_WORDS = ("<channel>", "<channel ", "[SYSTEM NOTIFICATION")
_MACHINE_TAGS = ("-notification", "-message", "-reminder", "-event")
"""How a prompt begins, and how tags end, by which the client itself speaks in the place of a person."""


def _prompt(event: dict[str, Any], payload: dict[str, Any]) -> dict[str, Any] | None:
    text, source = needed(payload, "prompt", empty=True), optional(payload, "source")
    start = text.lstrip()
    tag = start[1:].partition(">")[0].partition(" ")[0] if start[:1] == "<" else ""
    told = start.startswith(_MACHINE_WORDS) or (tag.endswith(_MACHINE_TAGS) and not tag.startswith("command-"))
    by_machine = source in _MACHINE_PROMPTS or (source != "user" and told)
    return None if by_machine else {**event, "prompt": text}


def _completion(event: dict[str, Any], payload: dict[str, Any], native: str) -> dict[str, Any] | None:
    if native == "Stop" and call.waiting(payload):
        return None
    if payload.get("last_assistant_message") is not None:
        event["answer"] = optional(payload, "last_assistant_message")
    return event


def _tool_event(event: dict[str, Any], payload: dict[str, Any], native: str) -> dict[str, Any]:
    name, arguments = needed(payload, "tool_name"), payload.get("tool_input")
    if name == "PowerShell" and type(arguments) is dict:
        arguments = {**arguments, "shell": "powershell"}  # no shell that we read: its commands are undecided
    server = payload.get("mcp_server")
    named = optional(server, "name") if type(server) is dict else ""
    kind = DIALECT.tool(event, name, arguments, optional(payload, "tool_use_id"), named)
    if name == "Monitor" and type(event["tool"]["args"].get("command")) is str:
        event["tool"]["kind"] = kind = "shell"
    if native == "PostToolUse":
        event["result"] = _result(name, kind, payload.get("tool_response"))
        _todos(event, name, event["tool"]["args"], payload.get("tool_response"))
    elif native == "PostToolUseFailure":
        event["result"] = _failed(kind, payload)
    return event


def _result(name: str, kind: str, response: Any) -> dict[str, Any]:
    text = result_text(response)
    facts = response if type(response) is dict else {}
    if "backgroundTaskId" in facts or facts.get("status") == "async_launched" or name == "Monitor":
        return {"text": text, "status": "running"}
    if kind != "shell":
        return {"ok": True, "text": text, "status": "completed"}
    if not facts:  # a shell owes an exit status; what answers in an unknown form has proved nothing
        return {"text": text, "status": "unknown"}
    if facts.get("interrupted") is not False or facts.get("returnCodeInterpretation") is not None:
        return {"ok": False, "text": text, "status": "failed"}
    return {"ok": True, "exit_code": 0, "text": text, "timed_out": False, "status": "completed"}


def _failed(kind: str, payload: dict[str, Any]) -> dict[str, Any]:
    """`error` begins with `Exit code N` if the shell ended by itself; the command's own output follows."""
    text = optional(payload, "error")
    result: dict[str, Any] = {"ok": False, "text": text, "timed_out": False, "status": "failed"}
    first, _, rest = text.partition("\n")
    number = first.removeprefix("Exit code ")
    if kind == "shell" and number != first and number.isascii() and number.isdigit() and len(number) <= 3:
        result["exit_code"], result["text"] = int(number), rest
        if number in ("143", "137") and rest.startswith("Command timed out after "):
            result["timed_out"], result["status"] = True, "timed_out"
    return result


def _todos(event: dict[str, Any], name: str, arguments: dict[str, Any], response: Any) -> None:
    """The list where the host sends all of it (`todos`), else what changed in it (`todo_changes`)."""
    answer = response if type(response) is dict else {}
    task = answer.get("task")
    if name == "TodoWrite" and type(arguments.get("todos")) is list:
        given = records(arguments["todos"])
        event["todos"] = [todo(item, item.get("id", str(place))) for place, item in given]
    elif name == "TaskList" and type(answer.get("tasks")) is list:
        event["todos"] = [todo(item, item.get("id")) for _, item in records(answer["tasks"])]
    elif name == "TaskCreate" and type(task) is dict:
        event["todo_changes"] = [{"status": "pending", **todo(task, task.get("id"))}]
    elif name == "TaskUpdate" and answer.get("success") is True:
        event["todo_changes"] = [todo(arguments, arguments.get("taskId"))]
    elif name in ("EnterPlanMode", "ExitPlanMode"):  # the person has agreed, or the tool would have failed
        mark_plan(event, approved=name == "ExitPlanMode")


def encode(decision: Decision, native_event: str, event: Event | None = None) -> Answer:
    """The client's answer to `native_event`; only keys that are legal there. Verdicts it cannot enforce are shown."""
    changed = None
    if event is not None and decision.timeout_ms and native_event == "PreToolUse" and event.tool_name == "Bash":
        changed = {**(event.tool_args or {}), "timeout": decision.timeout_ms}
    return reply.encode(CAPABILITIES, decision, native_event, event, changed)


_MAC = "/Library/Application Support"
REGISTRATION = Registration(
    home_folder=".claude",
    home_variable="CLAUDE_CONFIG_DIR",
    user_settings="settings.json",
    project_settings=".claude/settings.json",
    other_settings=(".claude/settings.local.json",),
    managed_settings=("/etc/claude-code/managed-settings.json", f"{_MAC}/ClaudeCode/managed-settings.json"),
    events=tuple((name, "*" if name in _TOOL_EVENTS else None) for name in CAPABILITIES),
    timeout=60,
    longer={"Stop": 3_600},  # every stage of a `verify` runs within it
    # `onFailure` is ignored after a completion, and elsewhere nothing is left to hold back
    fail_closed_events=frozenset(("UserPromptSubmit", "PreToolUse", "PermissionRequest", "PreCompact", "ConfigChange")),
    switches=(("disableAllHooks", "switches every hook off"),),
    managed_switches=(("allowManagedHooksOnly", "leaves only hooks of managed settings on"),),
    variables=(("CLAUDE_CODE_SIMPLE", "starts the client without hooks"),),
    closed={"onFailure": "block"},
    http=True,
)
ADAPTER = Adapter(
    NAME, decode, encode, DIALECT.failure, CAPABILITIES, REGISTRATION, continuation_cap=8, denies=DIALECT.denies,
    cap_variable="CLAUDE_CODE_STOP_HOOK_BLOCK_CAP", workspace_variable=DIALECT.project,
    one_process=True,
    reports=("todos", "plan.open_steps", "plan.status", "host.interactive", "host.mode"),
    evidence="measured, 2.1.329",
    failures={
        "exit 1, missing, killed, time-out": "closed by `onFailure` before a tool; a completion goes through",
        "exit 2": "refused",
    },
)  # fmt: skip

"""Claude Code: hook payload → canonical event, decision → hook answer, and how its hooks are registered.

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

from policy_engine.adapters import base
from policy_engine.adapters.base import Adapter, Answer, Capability, Registration, needed, optional
from policy_engine.model.errors import EventError
from policy_engine.model.strict_json import write_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.adapters.base import Environment
    from policy_engine.model.decision import Decision
    from policy_engine.model.event import Event

NAME = "claude-code"

CAPABILITIES = {
    "SessionStart": Capability("session_start", False, "warn remind"),
    "UserPromptSubmit": Capability("prompt", True, "warn remind deny stop"),
    "PreToolUse": Capability("before_tool", True, "warn remind ask deny stop"),
    "ConfigChange": Capability("before_tool", True, "warn deny"),
    "PermissionRequest": Capability("before_permission", True, "ask deny stop"),
    "PostToolUse": Capability("after_tool", False, "warn remind stop"),
    "PostToolUseFailure": Capability("after_tool", False, "warn remind"),
    "PostToolBatch": Capability("after_round", False, "warn remind stop"),
    "Stop": Capability("before_completion", True, "warn deny stop"),
    "SubagentStart": Capability("subagent_start", False, "warn remind"),
    "SubagentStop": Capability("subagent_completion", True, "warn deny stop"),
    "PreCompact": Capability("before_compact", True, "warn deny"),
    "PostCompact": Capability("after_compact", False, "warn"),
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
_MACHINE_PROMPTS = frozenset(("system", "loop_wakeup", "schedule_wakeup", "poll_event"))


def decode(payload: Any, event_name: str | None, environment: Environment) -> dict[str, Any] | None:
    """The canonical event of one hook payload; None if it is no lifecycle point. Raises EventError."""
    if type(payload) is not dict:
        raise EventError("E-TYPE", "the payload is not a JSON object")
    native = optional(payload, "hook_event_name") or event_name or ""
    if event_name and event_name != native:
        raise EventError("E-POINT", f"registered for `{event_name}`, but the payload says `{native[:80]}`")
    if native in _IGNORED or (native == "SubagentStop" and payload.get("agent_type") == ""):
        return None  # the latter is the client's own helper for compaction; no sub-agent was started for it
    if native not in CAPABILITIES:
        raise EventError("E-POINT", f"unknown event `{native[:80]}`")
    event = _head(payload, native, environment)
    if native in _TOOL_EVENTS:
        return _tool_event(event, payload, native)
    if native == "UserPromptSubmit":
        return _prompt(event, payload)
    if native in ("Stop", "SubagentStop"):
        return _completion(event, payload, native)
    if native == "ConfigChange":
        arguments = {"file_path": needed(payload, "file_path"), "source": optional(payload, "source")}
        event["tool"] = {"name": "ConfigChange", "kind": "edit", "args": arguments}
    for key in ("source", "trigger", "reason"):
        if native != "ConfigChange" and key in payload:
            event[key] = payload[key]
    return event


def _head(payload: dict[str, Any], native: str, environment: Environment) -> dict[str, Any]:
    cwd = needed(payload, "cwd")
    agent_id = needed(payload, "agent_id") if native.startswith("Subagent") else optional(payload, "agent_id")
    agent_type = optional(payload, "agent_type")
    agent = {"kind": "subagent" if agent_id else "main", "name": agent_type or ("subagent" if agent_id else "main")}
    if agent_id:
        agent["id"] = agent_id
    # The client says whether a person attends; versions that do not say so refuse by themselves what they cannot ask.
    attended = base.variable(environment, "CLAUDE_CODE_SESSION_ATTENDED") != "0"
    interactive = attended and optional(payload, "permission_mode") in _ASKABLE_MODES
    return {
        "hook": CAPABILITIES[native].point,
        "session": needed(payload, "session_id"),
        "cwd": cwd,
        "workspace": base.variable(environment, "CLAUDE_PROJECT_DIR") or cwd,
        "agent": agent,
        "host": {"name": NAME, "interactive": interactive},
    }


def _prompt(event: dict[str, Any], payload: dict[str, Any]) -> dict[str, Any] | None:
    text, source = needed(payload, "prompt", empty=True), optional(payload, "source")
    by_machine = source in _MACHINE_PROMPTS or (source != "user" and text.startswith("<task-notification>"))
    return None if by_machine else {**event, "prompt": text}


def _completion(event: dict[str, Any], payload: dict[str, Any], native: str) -> dict[str, Any] | None:
    tasks = payload.get("background_tasks")
    if native == "Stop" and type(tasks) is list:
        for task in tasks:
            if type(task) is dict and task.get("type") == "subagent" and task.get("status") == "running":
                return None
    if payload.get("last_assistant_message") is not None:
        event["answer"] = optional(payload, "last_assistant_message")
    return event


def _tool_event(event: dict[str, Any], payload: dict[str, Any], native: str) -> dict[str, Any]:
    name, arguments = needed(payload, "tool_name"), payload.get("tool_input")
    if type(arguments) is not dict:
        raise EventError("E-TYPE" if "tool_input" in payload else "E-FIELD", "`tool_input` is missing or not an object")
    kind = _KINDS.get(name, "other")
    # What is not known and is given a command is judged as a shell; its result proves nothing about that command.
    proposed = native in ("PreToolUse", "PermissionRequest") and kind == "other"
    if (proposed or name == "Monitor") and type(arguments.get("command")) is str:
        kind = "shell"
    if name == "PowerShell":
        arguments = {**arguments, "shell": "powershell"}  # no shell that we read: its commands are undecided
    tool: dict[str, Any] = {"name": name, "kind": kind, "args": arguments}
    if name.startswith("mcp__"):
        server = payload.get("mcp_server")
        tool["kind"] = "mcp"
        tool["server"] = (optional(server, "name") if type(server) is dict else "") or name[5:].partition("__")[0]
    call = optional(payload, "tool_use_id")
    if call:
        tool["id"] = call
        event["id"] = f"{call}.{event['hook']}"
    event["tool"] = tool
    if native == "PostToolUse":
        event["result"] = _result(name, tool["kind"], payload.get("tool_response"))
        _todos(event, name, arguments, payload.get("tool_response"))
    elif native == "PostToolUseFailure":
        event["result"] = _failed(tool["kind"], payload)
    return event


def _result(name: str, kind: str, response: Any) -> dict[str, Any]:
    text = base.result_text(response)
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
        given = base.records(arguments["todos"])
        event["todos"] = [base.todo(item, item.get("id", str(place))) for place, item in given]
    elif name == "TaskList" and type(answer.get("tasks")) is list:
        event["todos"] = [base.todo(item, item.get("id")) for _, item in base.records(answer["tasks"])]
    elif name == "TaskCreate" and type(task) is dict:
        event["todo_changes"] = [{"status": "pending", **base.todo(task, task.get("id"))}]
    elif name == "TaskUpdate" and answer.get("success") is True:
        event["todo_changes"] = [base.todo(arguments, arguments.get("taskId"))]


def encode(decision: Decision, native_event: str, event: Event | None = None) -> Answer:
    """The client's answer to `native_event`; only keys that are legal there. Verdicts it cannot enforce are shown."""
    verdict = decision.verdict
    capability = CAPABILITIES.get(native_event)
    if capability is None:
        return failure(native_event, "E-POINT", "an answer to an event that is not handled")
    askable = event is not None and event.host_interactive is True and "ask" in capability.enforces
    nobody = verdict == "ask" and not askable
    if nobody:
        verdict = "deny"
    output: dict[str, Any] = {}
    specific: dict[str, Any] = {}
    status, refusal = 0, ""
    told, shown = base.reason(decision, frozenset(("remind",))), base.reason(decision, frozenset(("warn",)))
    if verdict in base.REFUSING:
        refusal = base.reason(decision, base.REFUSING) or f"Policy says {verdict}."
        if nobody:
            refusal = f"This needs a person's approval, and nobody can be asked here. {refusal}"
        status = _refuse(output, specific, native_event, verdict, refusal)
        if verdict not in capability.enforces and not capability.gate:
            told, shown = base.paragraphs(refusal, told), base.paragraphs(refusal, shown)
    elif event is not None and decision.timeout_ms and native_event == "PreToolUse" and event.tool_name == "Bash":
        specific["updatedInput"] = {**(event.tool_args or {}), "timeout": decision.timeout_ms}
    if "remind" not in capability.enforces:
        told, shown = "", shown if told in shown else base.paragraphs(told, shown)
    if told:
        specific["additionalContext"] = told
    if shown:
        output["systemMessage"] = shown
    said = base.paragraphs(refusal, *map(base.visible, decision.errors))
    return _answer(output, specific, native_event, said, status)


def _answer(output: dict[str, Any], specific: dict[str, Any], native: str, said: str, status: int) -> Answer:
    if specific:
        output["hookSpecificOutput"] = {"hookEventName": native, **specific}
    silent = not output or native == "SessionEnd"
    return Answer(b"" if silent else write_json(output), f"{said}\n".encode() if said else b"", status)


def _refuse(output: dict[str, Any], specific: dict[str, Any], native: str, verdict: str, text: str) -> int:
    """Put the refusal into the answer; gives the exit status."""
    stops = verdict == "stop" and "stop" in CAPABILITIES[native].enforces and native != "PermissionRequest"
    if stops:
        output["continue"], output["stopReason"] = False, text
    if native == "PreToolUse":
        specific["permissionDecision"] = "ask" if verdict == "ask" else "deny"
        specific["permissionDecisionReason"] = text
        return 0 if verdict == "ask" else 2
    if native == "PermissionRequest":
        if verdict == "ask":
            return 0  # silence: the client goes on to ask
        specific["decision"] = {"behavior": "deny", "message": text}
        if verdict == "stop":
            specific["decision"]["interrupt"] = True
        return 2
    if not CAPABILITIES[native].gate:
        return 2 if stops else 0
    if stops and native in ("Stop", "SubagentStop"):
        return 0
    output["decision"], output["reason"] = "block", text
    return 2


def failure(native_event: str, code: str, message: str) -> Answer:
    """The answer when the engine itself failed: a gate refuses on both channels, any other event only reports it."""
    text = base.visible(f"policy engine: {code}: {message}")
    capability = CAPABILITIES.get(native_event)
    if capability is not None and capability.gate:
        output: dict[str, Any] = {}
        specific: dict[str, Any] = {}
        return _answer(output, specific, native_event, text, _refuse(output, specific, native_event, "deny", text))
    if capability is not None or native_event in _IGNORED:
        return _answer({"systemMessage": text}, {}, native_event, text, 0)
    return Answer(b"", f"{text}\n".encode(), 2)  # an unknown event may be a gate, and its JSON form is not known


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
    canary={"hook_event_name": "PreToolUse", "tool_name": base.CANARY_TOOL, "tool_input": {}, "tool_use_id": "canary"},
    denial=("hookSpecificOutput", "permissionDecision", "deny"),
)
ADAPTER = Adapter(NAME, decode, encode, failure, CAPABILITIES, REGISTRATION, continuation_cap=8)

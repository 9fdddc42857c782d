"""Adapter of Cline CLI: decode its hook payloads, encode its hook answers, and install its hooks.

Measured against 3.0.65 with a scripted model. What shaped this file:

- Hooks are executables, named by the event. The client ignores their exit status: only JSON on standard output
  refuses, so that the executable that `policy install` writes says `cancel` where the engine says nothing.
- `cancel` aborts the whole run, and the model never learns why. A shell command is therefore refused by another
  command in its place, which prints the reason and fails; what has run instead is not told as a call.
- One call may carry several commands. Each is a line of its own, and none can swallow the next.
- A shell says only whether it succeeded, or the status with which it failed. No completion can be refused.
"""

from __future__ import annotations

from policy_engine.adapters.base import (
    CANARY_SESSION,
    CANARY_TOOL,
    FOLDER,
    REFUSING,
    Adapter,
    Answer,
    Capability,
    Registration,
    needed,
    optional,
    paragraphs,
    result_text,
    visible,
)
from policy_engine.model.errors import EventError
from policy_engine.model.strict_json import read_json, write_json
from policy_engine.protocol import call
from policy_engine.protocol.answer import settle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.adapters.base import Environment
    from policy_engine.model.decision import Decision
    from policy_engine.model.event import Event

NAME = "cline"
CAPABILITIES = {
    "TaskStart": Capability("session_start", False, ""),
    "TaskResume": Capability("session_start", False, ""),
    "UserPromptSubmit": Capability("prompt", True, "remind deny stop", "cancel context"),
    "PreToolUse": Capability("before_tool", True, "remind deny stop", "cancel context replace"),
    "PostToolUse": Capability("after_tool", False, "remind", "context"),
    "TaskComplete": Capability("before_completion", False, ""),
    "PreCompact": Capability("before_compact", False, ""),
    "SessionShutdown": Capability("session_end", False, ""),
}
_IGNORED = frozenset(("TaskCancel", "TaskError", "Notification"))
_KINDS = {
    "run_commands": "shell", "execute_command": "shell", "apply_patch": "edit", "editor": "edit", "read_files": "read",
    "search_codebase": "search", "fetch_web_content": "fetch", "spawn_agent": "agent",
}  # fmt: skip
_ALIASES = {"old_text": "old_string", "new_text": "new_string"}
DIALECT = call.Dialect(NAME, CAPABILITIES, _IGNORED, _KINDS, aliases=_ALIASES, mcp=("", ""))
# What the payload calls its event; on the command line it has the name of the executable.
_NAMES = {
    "agent_start": "TaskStart", "agent_resume": "TaskResume", "tool_call": "PreToolUse", "tool_result": "PostToolUse",
    "prompt_submit": "UserPromptSubmit", "agent_end": "TaskComplete", "session_shutdown": "SessionShutdown",
    "agent_abort": "TaskCancel", "agent_error": "TaskError", "pre_compact": "PreCompact",
}  # fmt: skip
_CALLS = {"PreToolUse": "tool_call", "PostToolUse": "tool_result"}
_PLAIN = ("printf '%s\\n' '", "' >&2; false # refused by the policy engine")  # around the reason, without quotes
_CODE = "Command exited with code "


def decode(payload: Any, event_name: str | None, environment: Environment) -> dict[str, Any] | None:
    """The canonical event of one hook payload; None if it is no lifecycle point. Raises EventError."""
    if type(payload) is not dict:
        raise EventError("E-TYPE", "the payload is not a JSON object")
    name = optional(payload, "hookName")
    native = DIALECT.native({}, event_name or _NAMES.get(name, name))
    if not native:
        return None
    if name in _NAMES and _NAMES[name] != native:
        raise EventError("E-POINT", f"registered for `{native}`, but the payload says `{name}`")
    event = _head(payload, native)
    if native in _CALLS:
        return _tool_event(event, payload, native)
    turn = payload.get("turn")
    if native == "TaskComplete" and type(turn) is dict:
        event["answer"] = optional(turn, "outputText")
    asked = payload.get("userPromptSubmit")
    if native == "UserPromptSubmit" and type(asked) is dict:
        event["prompt"] = needed(asked, "prompt", empty=True)
    return event


def _head(payload: dict[str, Any], native: str) -> dict[str, Any]:
    context, place = payload.get("sessionContext"), payload.get("workspaceInfo")
    root = optional(context, "rootSessionId") if type(context) is dict else ""
    roots = payload.get("workspaceRoots")
    folder = optional(place, "rootPath") if type(place) is dict else ""
    if not folder and type(roots) is list and roots and type(roots[0]) is str:
        folder = roots[0]
    if not folder:
        raise EventError("E-FIELD", "`workspaceInfo.rootPath` and `workspaceRoots` are missing")
    identity = needed(payload, "agent_id") if optional(payload, "parent_agent_id") else ""
    return {
        "hook": CAPABILITIES[native].point,
        "session": root or needed(payload, "taskId"),
        "cwd": folder,
        "workspace": folder,
        "agent": call.agent(identity, ""),
        "host": {"name": NAME},
    }


def _tool_event(event: dict[str, Any], payload: dict[str, Any], native: str) -> dict[str, Any] | None:
    about = payload.get(_CALLS[native])
    if type(about) is not dict:
        raise EventError("E-FIELD", f"`{_CALLS[native]}` is missing or not an object")
    name, arguments = needed(about, "name"), about.get("input")
    if type(arguments) is dict and "commands" in arguments:
        arguments = {**arguments, "command": _lines(arguments["commands"])}
    if type(arguments) is dict and type(arguments.get("files")) is list:
        files = [one.get("path") if type(one) is dict else one for one in arguments["files"]]
        arguments = {**arguments, "files": files}  # as paths, without the lines that are asked for
    if native == "PostToolUse" and type(arguments) is dict and _is_refusal(arguments.get("command")):
        return None  # our own word in place of a refused command
    kind = DIALECT.tool(event, name, arguments, optional(about, "id"))
    if kind == "other" and "commands" in event["tool"]["args"]:
        event["tool"]["kind"] = kind = "shell"
    if name == "editor" and all(event["tool"]["args"].get(key) is None for key in ("old_text", "insert_line")):
        event["tool"]["kind"] = kind = "write"
    if native == "PostToolUse":
        event["result"] = _result(kind, about.get("output"))
    return event


def _lines(commands: Any) -> str:
    """The commands of a call as one line each; several are quoted, so that each ends where it ends."""
    if type(commands) is str:
        return commands
    if type(commands) is not list or any(type(command) is not str for command in commands):
        raise EventError("E-TYPE", "`commands` is not a list of strings")
    if len(commands) == 1:
        return str(commands[0])
    return "\n".join("bash -c '" + command.replace("'", "'\\''") + "'" for command in commands)


def _is_refusal(command: Any) -> bool:
    if type(command) is not str or not command.startswith(_PLAIN[0]) or not command.endswith(_PLAIN[1]):
        return False
    return "'" not in command[len(_PLAIN[0]) : -len(_PLAIN[1])]


def _result(kind: str, output: Any) -> dict[str, Any]:
    parts = [part for part in (output if type(output) is list else [output]) if type(part) is dict]
    text = "\n".join(result_text(part.get("result")) or result_text(part.get("error")) for part in parts)
    if not parts or any(type(part.get("success")) is not bool for part in parts):
        return {"text": text or result_text(output), "status": "unknown"}
    failed = [part for part in parts if part["success"] is False]
    result: dict[str, Any] = {"ok": not failed, "text": text, "status": "failed" if failed else "completed"}
    if kind == "shell":
        code = result_text(failed[-1].get("error")).rpartition(_CODE)[2] if failed else "0"
        if code.isascii() and code.isdigit():
            result.update(exit_code=int(code), timed_out=False)
    return result


def encode(decision: Decision, native_event: str, event: Event | None = None) -> Answer:
    """The client's answer: another command that says why, `cancel` for any other call, context for the model."""
    capability = CAPABILITIES.get(native_event)
    if capability is None:
        return failure(native_event, "E-POINT", "an answer to an event that is not handled")
    settled = settle(decision, capability, event)
    output: dict[str, Any] = {}
    refused = settled.verdict in REFUSING and capability.gate
    given = event.tool_args if event is not None and event.tool_args is not None else {}
    if refused and settled.verdict != "stop" and "replace" in capability.form and type(given.get("commands")) is list:
        plain = settled.refusal.replace("'", "’").replace("\n", " ")
        output["overrideInput"] = {"commands": [plain.join(_PLAIN)]}
    elif refused:
        output.update(cancel=True, errorMessage=settled.refusal)
    if settled.context:
        output["contextModification"] = settled.context
    text = paragraphs(settled.refusal, settled.shown, *map(visible, decision.errors))
    return _answer(output, text, refused)


def failure(native_event: str, code: str, message: str) -> Answer:
    """The answer when the engine itself failed: a gate, or what may be one, ends the run."""
    text = visible(f"policy engine: {code}: {message}")
    capability = CAPABILITIES.get(native_event)
    refused = native_event not in _IGNORED if capability is None else capability.gate
    return _answer({"cancel": True, "errorMessage": text} if refused else {}, text, refused)


def _answer(output: dict[str, Any], text: str, refused: bool) -> Answer:
    return Answer(write_json(output) if output else b"", f"{text}\n".encode() if text else b"", 2 if refused else 0)


def denies(native_event: str, answer: Answer) -> bool:
    """Return whether the client holds back what it asked about; it reads nothing but the JSON."""
    try:
        output = read_json(answer.stdout)
    except EventError:
        return False
    return type(output) is dict and (output.get("cancel") is True or "overrideInput" in output)


REGISTRATION = Registration(
    home_folder=".cline",
    user_settings="hooks",
    project_settings=".clinerules/hooks",
    events=tuple((name, None) for name in CAPABILITIES),
    timeout=60,
    form="scripts",
    named=True,
    closed={"cancel": True, "errorMessage": "the policy engine did not answer: the call is refused"},
    fail_closed_events=frozenset(("UserPromptSubmit", "PreToolUse")),
    canary={
        "taskId": CANARY_SESSION,
        "workspaceInfo": {"rootPath": FOLDER},
        "tool_call": {"id": "canary", "name": CANARY_TOOL, "input": {}},
    },
    afterwards="The executables of a project (`.clinerules/hooks`) are read by the extension only, those of the user by"
    " the command line too.",
)
ADAPTER = Adapter(
    NAME, decode, encode, failure, CAPABILITIES, REGISTRATION, continuation_cap=0, denies=denies,
    event_key="hookName", event_names=_NAMES, workspace_key="workspaceInfo",
    lacks={"prompt": "the command line does not report prompts"},
    evidence="measured, 3.0.65",
    failures={
        "exit 1, missing, killed": "closed: the executable says `cancel` by itself",
        "time-out, SIGKILL of the executable": "open: the call runs",
        "any exit status": "ignored by the client",
    },
)  # fmt: skip

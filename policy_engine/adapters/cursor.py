"""Adapter of Cursor: decode its hook payloads, encode its hook answers, and register its hooks.

By its documentation and by issues; nothing of it could be measured, for the agent is in no package registry. What
shaped this file:

- One event name that the client does not know voids its whole settings file, without a word.
- `preToolUse` hears of every call; before shell commands, MCP calls and reads the client asks once more, and there
  `ask` is known. Both are registered, so that what one version does not report another event does. Since
  `preToolUse` has no `ask`, what would ask is refused there.
- Anything but exit 0 and 2 is consent unless the entry says `failClosed`.
- After a completion `followup_message` goes on, at most `loop_limit` times. `cursor-agent -p` reports neither prompts
  nor completions.
"""

from __future__ import annotations

from policy_engine.adapters.base import (
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
from policy_engine.model.points import COMPLETIONS
from policy_engine.model.strict_json import read_json, write_json
from policy_engine.protocol import call
from policy_engine.protocol.answer import CONTINUED, Settled, settle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.adapters.base import Environment
    from policy_engine.model.decision import Decision
    from policy_engine.model.event import Event

NAME = "cursor"
CAPABILITIES = {
    "sessionStart": Capability("session_start", False, "remind", "context"),
    "beforeSubmitPrompt": Capability("prompt", True, "deny", "continue"),
    "preToolUse": Capability("before_tool", True, "deny", "permission"),
    "beforeShellExecution": Capability("before_tool", True, "ask deny", "permission asks"),
    "beforeMCPExecution": Capability("before_tool", True, "ask deny", "permission asks"),
    "beforeReadFile": Capability("before_tool", True, "deny", "permission"),
    "postToolUse": Capability("after_tool", False, "remind", "context"),
    "postToolUseFailure": Capability("after_tool", False, ""),
    "subagentStart": Capability("subagent_start", False, ""),
    "subagentStop": Capability("subagent_completion", True, "deny stop", "followup"),
    "preCompact": Capability("before_compact", False, ""),
    "stop": Capability("before_completion", True, "deny stop", "followup"),
    "sessionEnd": Capability("session_end", False, ""),
}
_IGNORED = frozenset(
    (
        "afterShellExecution", "afterMCPExecution", "afterFileEdit", "afterAgentResponse", "afterAgentThought",
        "beforeTabFileRead", "afterTabFileEdit", "workspaceOpen",
    )
)  # fmt: skip
_KINDS = {
    "Shell": "shell", "Read": "read", "Write": "write", "Edit": "edit", "Delete": "edit", "Grep": "search",
    "Glob": "search", "LS": "search", "Task": "agent", "TodoWrite": "todo", "WebFetch": "fetch", "WebSearch": "fetch",
}  # fmt: skip
DIALECT = call.Dialect(NAME, CAPABILITIES, _IGNORED, _KINDS, mcp=("MCP:", ""))


def decode(payload: Any, event_name: str | None, environment: Environment) -> dict[str, Any] | None:
    """The canonical event of one hook payload; None if it is no lifecycle point. Raises EventError."""
    native = DIALECT.native(payload, event_name)
    if not native:
        return None
    event = _head(payload, native)
    if CAPABILITIES[native].point in ("before_tool", "after_tool"):
        return _tool_event(event, payload, native)
    if native == "beforeSubmitPrompt":
        text = needed(payload, "prompt", empty=True)
        return {**event, "prompt": text} if call.human(text) else None
    return call.details(event, payload)


def _head(payload: dict[str, Any], native: str) -> dict[str, Any]:
    roots = payload.get("workspace_roots")
    root = roots[0] if type(roots) is list and roots and type(roots[0]) is str else ""
    cwd = optional(payload, "cwd") or root
    if not cwd:
        raise EventError("E-FIELD", "`cwd` and `workspace_roots` are missing")
    subagent = native.startswith("subagent")
    identity = (optional(payload, "subagent_id") or "subagent") if subagent else ""
    return {
        "hook": CAPABILITIES[native].point,
        "session": optional(payload, "conversation_id") or needed(payload, "session_id"),
        "cwd": cwd,
        "workspace": root or cwd,
        "agent": call.agent(identity, optional(payload, "subagent_type") if subagent else ""),
        "host": {"name": NAME},
    }


def _tool_event(event: dict[str, Any], payload: dict[str, Any], native: str) -> dict[str, Any]:
    if native == "beforeShellExecution":
        DIALECT.tool(event, "Shell", {"command": needed(payload, "command", empty=True)})
        return event
    if native == "beforeReadFile":
        DIALECT.tool(event, "Read", {"file_path": needed(payload, "file_path")})
        return event
    name, arguments = needed(payload, "tool_name"), payload.get("tool_input")
    if type(arguments) is str:
        arguments = read_json(arguments.encode("utf-8", "surrogatepass"))
    kind = DIALECT.tool(event, name, arguments, optional(payload, "tool_use_id"))
    if native == "beforeMCPExecution":
        event["tool"]["kind"] = "mcp"
        event["tool"].setdefault("server", optional(payload, "server"))
    if name == "Delete":
        event["tool"]["args"] = {**event["tool"]["args"], "content": ""}
    if native == "postToolUse":
        event["result"] = _result(kind, payload.get("tool_output"))
    elif native == "postToolUseFailure":
        timed = optional(payload, "failure_type") == "timeout"
        text, state = optional(payload, "error_message"), "timed_out" if timed else "failed"
        event["result"] = {"ok": False, "text": text, "timed_out": timed, "status": state}
    return event


def _result(kind: str, output: Any) -> dict[str, Any]:
    given = output
    if type(output) is str:
        try:
            given = read_json(output.encode("utf-8", "surrogatepass"))
        except EventError:
            given = output
    text = result_text(given)
    if kind != "shell":
        return {"ok": True, "text": text, "status": "completed"}
    code = given.get("exitCode", given.get("exit_code")) if type(given) is dict else None
    if type(code) is not int:
        return {"text": text, "status": "unknown"}
    return {"ok": code == 0, "exit_code": code, "text": text, "status": "completed" if code == 0 else "failed"}


def encode(decision: Decision, native_event: str, event: Event | None = None) -> Answer:
    """The client's answer to `native_event`; only keys that are documented there."""
    capability = CAPABILITIES.get(native_event)
    if capability is None:
        return failure(native_event, "E-POINT", "an answer to an event that is not handled")
    settled = settle(decision, capability, event)
    output: dict[str, Any] = {}
    status = _refuse(output, capability, settled) if settled.verdict in REFUSING and capability.gate else 0
    if settled.context and "context" in capability.form:
        output["additional_context"] = settled.context
    text = paragraphs(settled.refusal, settled.shown, *map(visible, decision.errors))
    return Answer(write_json(output) if output else b"", f"{text}\n".encode() if text else b"", status)


def _refuse(output: dict[str, Any], capability: Capability, settled: Settled) -> int:
    text = settled.refusal
    if capability.point in COMPLETIONS:
        if settled.verdict != "stop":
            output["followup_message"] = paragraphs(text, CONTINUED)
        return 0  # a run that stops ends here, and a person takes over
    if "continue" in capability.form:
        output.update({"continue": False, "user_message": text})
        return 2
    output["permission"] = "ask" if settled.verdict == "ask" else "deny"
    output.update(user_message=text, agent_message=text)
    return 0 if settled.verdict == "ask" else 2


def failure(native_event: str, code: str, message: str) -> Answer:
    """The answer when the engine itself failed; an event that is not known may be a gate."""
    text = visible(f"policy engine: {code}: {message}")
    capability = CAPABILITIES.get(native_event)
    output: dict[str, Any] = {}
    status = 0 if native_event in _IGNORED else 2
    if capability is not None:
        status = _refuse(output, capability, Settled("deny", text, "", "")) if capability.gate else 0
    return Answer(write_json(output) if output else b"", f"{text}\n".encode(), status)


def denies(native_event: str, answer: Answer) -> bool:
    """Return whether the client holds back what it asked about."""
    try:
        output = read_json(answer.stdout)
    except EventError:
        return False
    if type(output) is not dict:
        return False
    if CAPABILITIES[native_event].point in COMPLETIONS:
        return bool(output.get("followup_message")) and answer.exit_code == 0
    refused = output.get("permission") == "deny" or output.get("continue") is False
    return refused and answer.exit_code == 2 and bool(answer.stderr.strip())


REGISTRATION = Registration(
    home_folder=".cursor",
    user_settings="hooks.json",
    project_settings=".cursor/hooks.json",
    managed_settings=("/etc/cursor/hooks.json", "/Library/Application Support/Cursor/hooks.json"),
    events=tuple((name, None) for name in CAPABILITIES),
    timeout=60,
    longer={"stop": 3_600},
    form="flat",
    handler={"type": "command"},
    closed={"failClosed": True},
    fail_closed_events=frozenset(
        name for name, known in CAPABILITIES.items() if known.point in ("before_tool", "prompt")
    ),
    head={"version": 1},
    afterwards="`cursor-agent -p` reports neither prompts nor completions.",
)
ADAPTER = Adapter(
    NAME, decode, encode, failure, CAPABILITIES, REGISTRATION, continuation_cap=5, denies=denies,
    continuing="loop_count", workspace_key="workspace_roots", identifies_calls=True,
    lacks={"answer": "it never comes", "prompt": "in `cursor-agent -p`"},
    evidence="documentation",
    failures={
        "exit 1, missing, killed, time-out": "closed by `failClosed`, by its documentation",
        "exit 2": "refused",
        "an unknown event in the settings": "open, silently: the whole file is void",
    },
)  # fmt: skip

"""Adapter of opencode: decode what our plugin hands on, encode what the plugin does, and install the plugin.

Measured against 1.18.33 with a scripted model. The client knows no command hooks, only plugins in its own process:
`policy install` writes one that starts the registered line for each event, with `{"input", "output"}` as the client
gave them, and where the session is. What shaped this file:

- The plugin throws on every status but 0, on a time-out and on a line that cannot start; what it throws is what the
  model reads. The client itself waits for ever, and loads a plugin that is broken as none.
- A shell's exit status is a number of its own. The end of a run is reported after the fact, and the answer to it is
  another prompt, which `opencode run` no longer takes.
- A sub-agent has a session of its own; the plugin says whose child it is.
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
    visible,
)
from policy_engine.model.errors import EventError
from policy_engine.model.points import COMPLETIONS
from policy_engine.model.strict_json import write_json
from policy_engine.protocol import call
from policy_engine.protocol.answer import CONTINUED, settle
from policy_engine.protocol.payload import ended, plan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.adapters.base import Environment
    from policy_engine.model.decision import Decision
    from policy_engine.model.event import Event

NAME = "opencode"
CAPABILITIES = {
    "event.session.created": Capability("session_start", False, ""),
    "chat.message": Capability("prompt", True, "deny"),
    "tool.execute.before": Capability("before_tool", True, "deny"),
    "tool.execute.after": Capability("after_tool", False, "remind", "context"),
    "event.session.idle": Capability("before_completion", True, "deny stop"),
    "event.session.compacted": Capability("after_compact", False, ""),
    "event.session.deleted": Capability("session_end", False, ""),
}
# Hooks of a plugin that are no lifecycle point; so is every other event of the bus, for none of them can refuse.
_IGNORED = frozenset(
    (
        "chat.params", "chat.headers", "command.execute.before", "config", "dispose", "plugin.init", "shell.env",
        "tool.definition", "permission.ask", "experimental.chat.messages.transform",
        "experimental.chat.system.transform", "experimental.session.compacting",
        "experimental.compaction.autocontinue", "experimental.text.complete",
    )
)  # fmt: skip
_BUS = "event."
_KINDS = {
    "bash": "shell", "write": "write", "edit": "edit", "multiedit": "edit", "patch": "edit", "apply_patch": "edit",
    "read": "read", "list": "search", "glob": "search", "grep": "search", "webfetch": "fetch", "websearch": "fetch",
    "task": "agent", "todowrite": "todo", "todoread": "todo",
}  # fmt: skip
_ALIASES = {"filePath": "file_path", "oldString": "old_string", "newString": "new_string", "patchText": "patch"}
DIALECT = call.Dialect(NAME, CAPABILITIES, _IGNORED, _KINDS, aliases=_ALIASES, mcp=("", ""))


def decode(payload: Any, event_name: str | None, environment: Environment) -> dict[str, Any] | None:
    """The canonical event; None if it is no lifecycle point. Raises EventError."""
    if event_name and event_name.startswith(_BUS) and event_name not in CAPABILITIES:
        return None
    native = DIALECT.native(payload, event_name)
    if not native:
        return None
    given = payload.get("input")
    if type(given) is not dict:
        raise EventError("E-TYPE" if "input" in payload else "E-FIELD", "`input` is missing or not an object")
    event = _head(payload, given, native)
    subagent = event["agent"]["kind"] == "subagent"
    if native in ("tool.execute.before", "tool.execute.after"):
        return _tool_event(event, payload, given, native)
    if native == "chat.message":
        text = _text(payload)
        return {**event, "prompt": text} if call.human(text) and not subagent else None
    return None if subagent else event


def _head(payload: dict[str, Any], given: dict[str, Any], native: str) -> dict[str, Any]:
    about = given
    if native.startswith(_BUS):
        about = given["event"] if type(given.get("event")) is dict else {}
        about = about["properties"] if type(about.get("properties")) is dict else {}
    session = needed(about, "sessionID")
    parent = optional(payload, "parent")
    info = about.get("info")
    if not parent and type(info) is dict:
        parent = optional(info, "parentID")
    event: dict[str, Any] = {
        "hook": CAPABILITIES[native].point,
        "session": parent or session,
        "agent": call.agent(session if parent else "", optional(given, "agent") if parent else ""),
        "host": {"name": NAME},
    }
    if optional(payload, "directory"):
        event["cwd"] = payload["directory"]
        event["workspace"] = optional(payload, "worktree") or payload["directory"]
        if event["workspace"] == "/":  # the worktree of what is no repository
            event["workspace"] = payload["directory"]
    return event


def _text(payload: dict[str, Any]) -> str:
    """The text of a message: its parts that somebody wrote."""
    output = payload.get("output")
    parts = output.get("parts") if type(output) is dict else None
    if type(parts) is not list:
        raise EventError("E-FIELD", "`output.parts` is missing or not a list")
    texts = [part for part in parts if type(part) is dict and part.get("type") == "text" and not part.get("synthetic")]
    return "\n".join(needed(part, "text", empty=True) for part in texts)


def _tool_event(event: dict[str, Any], payload: dict[str, Any], given: dict[str, Any], native: str) -> dict[str, Any]:
    name, output = needed(given, "tool"), payload.get("output")
    if type(output) is not dict:
        raise EventError("E-TYPE" if "output" in payload else "E-FIELD", "`output` is missing or not an object")
    arguments = (output if native == "tool.execute.before" else given).get("args")
    kind = DIALECT.tool(event, name, arguments, optional(given, "callID"))
    if native == "tool.execute.after":
        event["result"] = _result(kind, output)
        if name == "todowrite" and type(event["tool"]["args"].get("todos")) is list:
            event["todos"] = plan(event["tool"]["args"]["todos"], "content")
    return event


def _result(kind: str, output: dict[str, Any]) -> dict[str, Any]:
    text = output["output"] if type(output.get("output")) is str else ""
    facts = output["metadata"] if type(output.get("metadata")) is dict else {}
    if kind != "shell":
        return {"ok": True, "text": text, "status": "completed"}
    if type(facts.get("exit")) is not int:
        return {"text": text, "status": "unknown"}
    return ended(text, str(facts["exit"])) if facts["exit"] >= 0 else {"ok": False, "text": text, "status": "failed"}


def encode(decision: Decision, native_event: str, event: Event | None = None) -> Answer:
    """Return what the plugin does: `refuse` by throwing or by another prompt, `tell` the model, `show` in the log."""
    capability = CAPABILITIES.get(native_event)
    if capability is None:
        return failure(native_event, "E-POINT", "an answer to an event that is not handled")
    settled = settle(decision, capability, event)
    refused = settled.verdict in REFUSING and capability.gate
    if settled.verdict == "stop" and capability.point in COMPLETIONS:
        refused, settled.shown = (
            False,
            paragraphs(settled.refusal, settled.shown),
        )  # the run has ended; a person takes over
    shown = paragraphs(settled.shown, *map(visible, decision.errors))
    return _answer(native_event, settled.refusal if refused else "", settled.context, shown)


def failure(native_event: str, code: str, message: str) -> Answer:
    """The answer when the engine itself failed; an event that is not known may be a gate."""
    text = visible(f"policy engine: {code}: {message}")
    capability = CAPABILITIES.get(native_event)
    harmless = native_event in _IGNORED or native_event.startswith(_BUS) if capability is None else not capability.gate
    return _answer(native_event, "" if harmless else text, "", text if harmless else "")


def _answer(native: str, refusal: str, context: str, shown: str) -> Answer:
    output: dict[str, str] = {}
    if refusal:
        output["refuse"] = paragraphs(refusal, CONTINUED) if native == "event.session.idle" else refusal
    if context:
        output["tell"] = context
    if shown:
        output["show"] = shown
    text = paragraphs(refusal, shown)
    return Answer(write_json(output) if output else b"", f"{text}\n".encode() if text else b"", 2 if refusal else 0)


REGISTRATION = Registration(
    home_folder=".config/opencode",
    home_variable="OPENCODE_CONFIG_DIR",
    user_settings="plugin/policy-engine.js",
    project_settings=".opencode/plugin/policy-engine.js",
    events=tuple((name, None) for name in CAPABILITIES),
    timeout=60,
    longer={"event.session.idle": 3_600},
    form="plugin",
    named=True,
    variables=(
        ("OPENCODE_PURE", "starts the client without plugins"),
        ("OPENCODE_DISABLE_PROJECT_CONFIG", "leaves the plugins of the project out"),
    ),
    canary={
        "directory": FOLDER,
        "input": {
            "tool": CANARY_TOOL,
            "sessionID": CANARY_SESSION,
            "callID": "canary",
            "event": {"properties": {"sessionID": CANARY_SESSION}},
        },
        "output": {"args": {}, "parts": []},
    },
    afterwards="A client that was started with `--pure` has no plugins.",
)
ADAPTER = Adapter(
    NAME, decode, encode, failure, CAPABILITIES, REGISTRATION, continuation_cap=0, workspace_key="directory",
    lacks={"answer": "it never comes", "result.timed_out": "it never comes"},
    one_process=True,
    reports=("todos", "plan.open_steps"),
    evidence="measured, 1.18.33",
    failures={
        "exit 1, missing, killed, time-out": "closed: the plugin throws",
        "plugin broken or not loaded": "open, silently",
        "exit 2": "refused",
    },
)  # fmt: skip

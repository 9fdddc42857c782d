"""Build the JSON Schemas (draft 2020-12) of the canonical event and the decision; off the hook path.

`Event.from_dict` is what decides: it also refuses what a schema cannot say (bounds in bytes, lone surrogates, NUL).
Both schemas leave unknown keys alone, as the engine does.
"""

from __future__ import annotations

from typing import Any

from policy_engine.model.event import POINTS, TOOL_KINDS, TOOL_POINTS
from policy_engine.model.event_parts import CHANGE_KINDS, RESULT_STATES, TODO_STATES
from policy_engine.model.field_names import PERMISSION_MODES
from policy_engine.model.ladder import VERDICTS
from policy_engine.model.limits import COMMAND_BYTES, PATH_BYTES

DIALECT = "https://json-schema.org/draft/2020-12/schema"
Schema = dict[str, Any]


def address(name: str) -> str:
    """Return what a schema calls itself: the address that the schema store gives to one of that name."""
    return f"https://json.schemastore.org/policy-engine-{name}.json"


def _text(description: str, **more: Any) -> Schema:
    return {"type": "string", "description": description, **more}


def _one_of(description: str, words: frozenset[str] | tuple[str, ...], *more: str) -> Schema:
    listed = list(words) if isinstance(words, tuple) else sorted(words)
    return {"enum": [*listed, *more], "description": description}


def _record(description: str, properties: Schema, *required: str) -> Schema:
    schema: Schema = {"type": "object", "description": description, "properties": properties}
    return {**schema, "required": list(required)} if required else schema


def _list(description: str, items: Schema) -> Schema:
    return {"type": "array", "description": description, "items": items}


def _path(description: str) -> Schema:
    return _text(description, minLength=1, maxLength=PATH_BYTES)


def event_schema() -> Schema:
    """The JSON Schema of a canonical event."""
    properties = {
        "hook": _one_of("the lifecycle point", POINTS),
        "session": _text("the session's id; one history per session", minLength=1),
        "id": _text("the event's id, named as evidence"),
        "time": _text("when it happened, RFC 3339", format="date-time"),
        "cwd": _path("the folder that the agent works in, absolute"),
        "workspace": _path("the root of the workspace, absolute"),
        "agent": _record(
            "who acts",
            {
                "kind": _text("`main`, or a sub-agent's kind; to rules every other word is `subagent`"),
                "name": _text("its name"),
            },
        ),
        "host": _host(),
        "tool": _tool(),
        "result": _result(),
        "prompt": _text("what the user, or the parent agent, asked"),
        "answer": _text("the visible text that would end the run"),
        "changes": _changes(),
        "facts": {"type": "object", "description": "facts by name, for `tool_fact`"},
        "todos": _todos(),
        **_context(),
    }
    head: Schema = {"$schema": DIALECT, "$id": address("event"), "title": "Canonical event"}
    schema = {**head, **_record("one event of a coding agent's session", properties, "hook", "session")}
    schema["if"] = {"properties": {"hook": {"enum": sorted(TOOL_POINTS)}}}
    schema["then"] = {"required": ["tool"]}
    return schema


def _context() -> Schema:
    """Return what the host knows about the run."""
    integer, flag = {"type": "integer"}, {"type": "boolean"}
    commands = {"description": "the commands that it demands; a list of texts"}
    plan = {
        "open_steps": integer,
        "status": {"description": "how far it is, in the host's words"},
        "created": {"description": "when it was made, RFC 3339"},
    }
    return {
        "goal": _record("what the run is for", {"text": {"description": "in words"}, "commands": commands}),
        "plan": _record("the plan; what is left out stays as it was", plan),
        "usage": _record(
            "what the session has used so far; what is left out stays as it was", {"tokens": integer, "cents": integer}
        ),
        "diff": _record("what differs from the start", {"files": {"type": ["integer", "array"]}, "lines": integer}),
        "git": _record("the repository", {"branch": {"type": "string"}, "clean": flag, "ahead": integer}),
    }


def _host() -> Schema:
    properties = {
        "name": _text("the coding agent"),
        "interactive": {"type": "boolean", "description": "a person can answer questions"},
        "mode": {"enum": [*PERMISSION_MODES], "description": "what the agent may do without being asked"},
        "os": _text("the operating system, if not this machine's"),
    }
    return _record("who sent the event", properties)


def _tool() -> Schema:
    properties = {
        "name": _text("the tool's own name", minLength=1),
        "kind": _one_of("what sort of tool it is; `other` if missing", TOOL_KINDS),
        "args": {"type": "object", "description": "the arguments under the host's own names"},
        "server": _text("the MCP server"),
        "id": _text("pairs the call before with the call after"),
    }
    schema = _record("the tool call; needed at the points of tool calls", properties, "name", "args")
    command = _text("the shell line", maxLength=COMMAND_BYTES)
    schema["if"] = {"properties": {"kind": {"const": "shell"}}, "required": ["kind"]}
    schema["then"] = {"properties": {"args": {"properties": {"command": command}, "required": ["command"]}}}
    return schema


def _result() -> Schema:
    properties = {
        "ok": {"type": "boolean", "description": "the call ended well"},
        "exit_code": {"type": ["integer", "null"], "description": "the exit status of a shell call"},
        "text": _text("what the tool returned"),
        "timed_out": {"type": "boolean", "description": "the call ran out of time"},
        "status": _one_of("how far the call is", RESULT_STATES),
        "error_class": {"description": "the host's class of the failure"},
    }
    return _record("how a tool call ended", properties)


def _changes() -> Schema:
    properties = {
        "path": _text("relative to the workspace, or absolute"),
        "kind": _one_of("what happened", CHANGE_KINDS),
    }
    return _list("files that the call touched, as the host saw it", _record("one file", properties, "path", "kind"))


def _todos() -> Schema:
    properties = {
        "id": _text("its name", minLength=1),
        "title": _text("what is to be done"),
        "status": _one_of("how far it is; `cancelled` is read as `canceled`", TODO_STATES, "cancelled"),
        "required": {"type": "boolean", "description": "it must converge before completion; true if missing"},
        "owned": {"description": "this agent owns it; true if missing"},
        "retries": {"description": "how often it was tried again; 0 if missing"},
        "revision": {"description": "how often it was written; 1 if missing"},
        "dependencies": {"description": "ids of the todos that come before it; a list of texts"},
        "supersedes": {"description": "ids of the todos that it replaces; a list of texts"},
        "blocked_reason": {"description": "what a blocked todo waits for"},
        "created": {"description": "when it was put on the list, RFC 3339"},
    }
    return _list("the whole todo list as it now is", _record("one todo", properties, "id"))


def decision_schema() -> Schema:
    """The JSON Schema of a decision."""
    rules = _list("rules that were violated or undecided, strictest first, then by id", {"$ref": "#/$defs/rule"})
    properties = {
        "event": _text("the event's id, empty if it has none"),
        "hook": _text("the lifecycle point, empty if the event did not say"),
        "session": _text("the session's id"),
        "verdict": _one_of("the maximum over all enforced rules", VERDICTS),
        "stop_reason": {"type": ["string", "null"], "description": "why the run ends; null unless the verdict is stop"},
        "timeout_ms": {"type": ["integer", "null"], "description": "the tool's time budget in ms"},
        "rules": rules,
        "policy": _text("digest of the policy set, `sha256:…`; empty if there is none"),
        "errors": _list("what is wrong with the engine or its policy now", {"type": "string"}),
        "waived": {**rules, "description": "rules that would have spoken and are waived"},
        "shadow": {**rules, "description": "rules that would have spoken and are in shadow"},
    }
    approved = {
        "approved": {**rules, "description": "rules by which the host need not ask; left out if there are none"}
    }
    schema: Schema = {"$schema": DIALECT, "$id": address("decision"), "title": "Decision"}
    schema.update(_record("the answer to one event", {**properties, **approved}, *properties))
    return {**schema, "$defs": {"rule": _rule()}}


def _rule() -> Schema:
    leaf = {
        "expr": _text("the condition as written"),
        "values": {"type": "object", "description": "its operands with the values they had; `?` for unknown ones"},
    }
    properties = {
        "rule": _text("the rule's id; `policy-engine` for the engine itself"),
        "outcome": _one_of("of the four outcomes the two that speak", ("violated", "undecided")),
        "verdict": _one_of("the rule's place on the ladder", VERDICTS),
        "message": _text("what failed, why, and what to do next"),
        "at": _text("`file:line:column` of the rule"),
        "because": _list("the smallest conditions responsible", _record("one condition", leaf, *leaf)),
        "evidence": _list("ids of the events that prove it", {"type": "string"}),
        "undecided": _list("why it could not be decided", {"type": "string"}),
        "satisfy": _list("what would make the rule pass, as written", {"type": "string"}),
    }
    return _record("one rule's word", properties, *properties)

"""OpenHands' conversations: the list of actions and observations, and since 1.0 a file for each event.

An observation names the action that caused it. Its metadata have the exit status and the folder of the shell.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from policy_engine.adapters.base import result_text
from policy_engine.model.errors import EventError
from policy_engine.protocol.payload import ended
from policy_engine.transcripts.base import Line, Object, Recorded, Transcript, damaged, unknown

_KINDS = {
    "run": "shell", "execute_bash": "shell", "terminal": "shell", "bash": "shell", "read": "read", "write": "write",
    "edit": "edit", "file_editor": "edit", "str_replace_editor": "edit", "browse": "fetch", "call_tool_mcp": "mcp",
    "delegate": "agent", "delegate_to_agent": "agent", "task_tracker": "todo", "glob": "search", "grep": "search",
    "apply_patch": "edit",
}  # fmt: skip
_SILENT = frozenset(
    ("system", "recall", "null", "change_agent_state", "think", "condensation", "condensation_request", "loop_recovery")
)
_SILENT_EVENTS = frozenset(
    (
        "AgentErrorEvent", "Condensation", "CondensationRequest", "CondensationSummaryEvent",
        "ConversationErrorEvent", "ConversationStateUpdateEvent", "HookExecutionEvent", "InterruptEvent",
        "LLMCompletionLogEvent", "PauseEvent", "SystemPromptEvent", "TokenEvent", "UserRejectObservation",
    )
)  # fmt: skip


@dataclass(slots=True)
class _Run:
    """A conversation that is being read: its folder and the calls without an end."""

    name: str
    folder: str = ""
    cwd: str = ""
    open: dict[str, Object] = field(default_factory=dict)

    def event(self, hook: str, value: Object, **more: Any) -> Object:
        fields: Object = {
            "hook": hook, "session": self.name, "agent": {"kind": "main", "name": "main"},
            "host": {"name": "openhands"}, **more,
        }  # fmt: skip
        if self.folder:
            fields.update(workspace=self.folder, cwd=self.cwd or self.folder)
        if isinstance(value.get("timestamp"), str):
            fields["time"] = value["timestamp"] if value["timestamp"][-1:] == "Z" else f"{value['timestamp']}Z"
        return fields

    def enter(self, folder: Any) -> None:
        if isinstance(folder, str) and folder.startswith("/"):
            self.cwd, self.folder = folder, self.folder or folder


def _knows(value: Object) -> bool:
    if isinstance(value.get("history"), list) and value["history"]:
        return isinstance(value["history"][0], dict) and _knows(value["history"][0])
    kind = value.get("kind")
    if isinstance(kind, str) and kind.endswith("Event") and "source" in value:
        return True
    return (
        "source" in value and ("args" in value or "extras" in value) and ("action" in value or "observation" in value)
    )


def _events(lines: Iterable[Line], path: str) -> Iterator[Recorded]:
    run = _Run(_name(path))
    for number, value in lines:
        if isinstance(value, EventError):
            yield damaged(number, value)
            continue
        history = value.get("history")
        whole = isinstance(history, list)
        if whole and isinstance(value.get("instance_id"), str):
            run = _Run(value["instance_id"])
        for index, each in enumerate(history if isinstance(history, list) else [value], 1):
            if isinstance(each, dict):
                yield from (_new if "kind" in each else _old)(index if whole else number, run, each)


def _name(path: str) -> str:
    place = Path(path)
    return (place.parent.name if place.name == "events" else place.stem) or "openhands"


def _old(number: int, run: _Run, value: Object) -> Iterator[Recorded]:
    action, seen = value.get("action"), value.get("observation")
    args = value["args"] if isinstance(value.get("args"), dict) else {}
    if action == "message":
        yield from _message(number, run, value, value.get("source"), str(args.get("content") or ""))
    elif action == "finish":
        text = str(args.get("final_thought") or args.get("thought") or value.get("message") or "")
        yield Recorded(number, run.event("before_completion", value, answer=text))
    elif isinstance(action, str):
        if action not in _SILENT:
            tool = args.get("name") if action == "call_tool_mcp" else None
            arguments = args.get("arguments")
            given = arguments if tool and isinstance(arguments, dict) else args
            yield from _call(number, run, value, str(value.get("id", number)), str(tool or action), action, given)
    elif isinstance(seen, str):
        extras = value["extras"] if isinstance(value.get("extras"), dict) else {}
        facts = extras["metadata"] if isinstance(extras.get("metadata"), dict) else {}
        identity = str(value.get("cause", next(reversed(run.open), "")))
        code = facts.get("exit_code", extras.get("exit_code"))
        yield from _ended(number, run, value, identity, (str(value.get("content") or ""), code, seen == "error"))
        run.enter(facts.get("working_dir"))
    else:
        yield unknown(number, value.get("source"))


def _new(number: int, run: _Run, value: Object) -> Iterator[Recorded]:
    kind, message = value.get("kind"), value.get("llm_message")
    identity = str(value.get("tool_call_id"))
    if kind == "MessageEvent" and isinstance(message, dict):
        yield from _message(number, run, value, value.get("source"), result_text(message.get("content")))
    elif kind == "ActionEvent" and isinstance(value.get("action"), dict):
        given = {key: argument for key, argument in value["action"].items() if key != "kind" and argument is not None}
        name = str(value.get("tool_name"))
        if name == "finish":
            yield Recorded(number, run.event("before_completion", value, answer=str(given.get("message") or "")))
        elif name != "think":
            yield from _call(number, run, value, identity, name, name, given)
    elif kind == "ObservationEvent" and isinstance(value.get("observation"), dict):
        seen = value["observation"]
        facts = seen["metadata"] if isinstance(seen.get("metadata"), dict) else {}
        text = result_text(seen.get("content", seen.get("output")))
        code = facts.get("exit_code", seen.get("exit_code"))
        failed = seen.get("is_error") is True or bool(seen.get("error"))
        yield from _ended(number, run, value, identity, (text, code, failed))
        run.enter(facts.get("working_dir"))
    elif kind not in _SILENT_EVENTS:
        yield unknown(number, kind)


def _message(number: int, run: _Run, value: Object, source: Any, text: str) -> Iterator[Recorded]:
    if source == "user":
        yield Recorded(number, run.event("prompt", value, prompt=text))
    elif source == "agent" and text:
        yield Recorded(number, run.event("before_completion", value, answer=text))


def _call(
    number: int, run: _Run, value: Object, identity: str, name: str, kind: str, given: Object
) -> Iterator[Recorded]:
    tool: Object = {"name": name, "kind": _KINDS.get(kind, "other"), "args": given, "id": identity}
    command = given.get("command")
    if tool["kind"] == "edit" and command in ("view", "create"):
        tool["kind"] = "read" if command == "view" else "write"
    for theirs, ours in (("path", "file_path"), ("old_str", "old_string"), ("new_str", "new_string")):
        if tool["kind"] in ("read", "write", "edit") and theirs in given:
            tool["args"] = {**tool["args"], ours: given[theirs]}
    if tool["kind"] == "mcp":
        tool["server"] = "mcp"
    run.open[identity] = tool
    yield Recorded(number, run.event("before_tool", value, id=f"{identity}.before_tool", tool=tool))


def _ended(number: int, run: _Run, value: Object, identity: str, call: tuple[str, Any, bool]) -> Iterator[Recorded]:
    tool = run.open.pop(identity, None)
    if tool is None:
        return
    text, code, failed = call
    if tool["kind"] == "shell":
        result = ended(text, str(code)) if type(code) is int and code >= 0 else {"text": text, "status": "unknown"}
    else:
        result = {"ok": not failed, "text": text, "status": "failed" if failed else "completed"}
    yield Recorded(number, run.event("after_tool", value, id=f"{identity}.after_tool", tool=tool, result=result))


TRANSCRIPT = Transcript(
    "OpenHands", _knows, _events, (".openhands/conversations/*/events", ".openhands/trajectories/*.json")
)

"""Codex's rollouts, `rollout-*.jsonl`: each line is an item of the conversation, a notice or the context of a turn.

The exit status of a command stands in the item of its end or at the head of its output. Commands of a script of the
model (code mode) have no call of their own: their items are both ends. Two forms came before: items without a frame,
with the session's head in the first line; and outputs that are JSON themselves. What is typed into a running command
is a call of the tool `write_stdin`.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Iterator
from typing import Any

from policy_engine.adapters.base import result_text
from policy_engine.adapters.codex import ADAPTER
from policy_engine.model.errors import EventError
from policy_engine.protocol.payload import ended
from policy_engine.transcripts.base import Conversation, Line, Object, Recorded, Transcript, damaged, unknown

_FRAMES = frozenset(("session_meta", "response_item", "event_msg", "turn_context", "compacted"))
_SILENT = frozenset(
    ("world_state", "token_usage_record", "ghost_snapshot", "message", "reasoning", "agent_reasoning", "state")
)
_CALLS = frozenset(("function_call", "custom_tool_call", "local_shell_call"))
_ENDS = frozenset(("function_call_output", "custom_tool_call_output"))
_SHELLS = frozenset(("exec_command", "shell", "shell_command", "local_shell", "container.exec"))
_OWN_WORDS = ("<environment_context", "<user_instructions", "<permissions", "<skills", "<turn_aborted", "# AGENTS.md")
_CODE, _RUNNING = "Process exited with code ", "Process running with session ID "


class _Rollout(Conversation):
    """A session of Codex, and the exit statuses that stand before the outputs."""

    __slots__ = ("codes", "asked_last", "framed")

    def __init__(self, name: str, folder: str) -> None:
        super().__init__(ADAPTER, name, folder)
        self.codes: dict[str, int] = {}
        self.asked_last = ""
        self.framed = True


def _knows(value: Object) -> bool:
    if value.get("type") in _FRAMES and isinstance(value.get("payload"), dict):
        return True
    return "type" not in value and {"id", "timestamp", "instructions"} <= set(value)


def _events(lines: Iterable[Line], _path: str) -> Iterator[Recorded]:
    session: _Rollout | None = None
    number = 0
    for number, value in lines:
        if isinstance(value, EventError):
            yield damaged(number, value)
            continue
        framed = isinstance(value.get("payload"), dict)
        payload = value["payload"] if framed else value
        if session is None:
            session = _Rollout(str(payload.get("id") or "unknown"), _folder(payload))
            session.framed = framed
            session.time = _text(value.get("timestamp")) or None
            yield from session.begin(number)
        session.time = _text(value.get("timestamp")) or session.time
        yield from _line(number, session, str(value.get("type")), payload)
    if session is not None:
        yield from session.complete(number)


def _line(number: int, session: _Rollout, frame: str, payload: Object) -> Iterator[Recorded]:
    kind = payload.get("type")
    if frame == "session_meta" or ("instructions" in payload and not session.framed):
        return
    if frame == "turn_context":
        session.cwd = _folder(payload) or session.cwd
        if not session.folder:
            session.folder = session.cwd
    elif frame == "event_msg":
        yield from _notice(number, session, payload)
    elif frame == "compacted":
        yield from session.event(number, "PostCompact", {"trigger": "auto"})
    elif frame == "response_item" or not session.framed:
        yield from _item(number, session, payload, str(kind))
    elif frame not in _SILENT:
        yield unknown(number, frame)


def _notice(number: int, session: _Rollout, payload: Object) -> Iterator[Recorded]:
    kind, item = payload.get("type"), payload.get("item")
    if kind == "user_message":
        yield from _prompt(number, session, _text(payload.get("message")))
    elif kind == "agent_message":
        session.answer = _text(payload.get("message"))
    elif kind == "exec_command_end" and type(payload.get("exit_code")) is int:
        session.codes[str(payload.get("call_id"))] = payload["exit_code"]
    elif kind == "item_completed" and isinstance(item, dict):
        yield from _completed(number, session, item)
    elif kind == "task_complete":
        session.answer = _text(payload.get("last_agent_message")) or session.answer
        yield from session.complete(number)
    elif kind == "turn_aborted":
        session.answer = ""


def _completed(number: int, session: _Rollout, item: Object) -> Iterator[Recorded]:
    kind, identity = item.get("type"), str(item.get("id"))
    if kind == "UserMessage":
        yield from _prompt(number, session, result_text(item.get("content")))
    elif kind == "AgentMessage":
        session.answer = result_text(item.get("content")) or session.answer
    elif kind == "CommandExecution":
        code = item.get("exit_code")
        if type(code) is int:
            session.codes[identity] = code
        if identity not in session.calls and isinstance(item.get("command"), list):
            folder = _text(item.get("cwd")).removeprefix("file://")
            yield from session.call(number, identity, "Bash", {"command": _command(item["command"])}, folder)
            yield from _output(number, session, identity, _text(item.get("aggregated_output")))


def _item(number: int, session: _Rollout, item: Object, kind: str) -> Iterator[Recorded]:
    identity = str(item.get("call_id") or item.get("id"))
    if kind in _CALLS:
        name, given, folder = _call(item)
        yield from session.call(number, identity, name, given, folder)
    elif kind in _ENDS:
        yield from _output(number, session, identity, item.get("output"))
    elif kind == "message" and not session.framed:
        text = result_text(item.get("content"))
        if item.get("role") == "user" and not text.startswith(_OWN_WORDS):
            yield from _prompt(number, session, text)
        elif item.get("role") == "assistant":
            session.answer = text


def _prompt(number: int, session: _Rollout, text: str) -> Iterator[Recorded]:
    """The same words come as a notice and as an item, one behind the other."""
    if text != session.asked_last:
        yield from session.prompt(number, text)
    session.asked_last = text


def _call(item: Object) -> tuple[str, Any, str]:
    """Return the call as a hook would see it, and the folder in which it runs."""
    name = _text(item.get("name")) or "local_shell"
    given: Any = item.get("arguments", item.get("input", item.get("action")))
    if isinstance(given, str) and name != "apply_patch":
        given = _parsed(given, {"input": given})
    if name in _SHELLS and isinstance(given, dict):
        command = given.get("cmd", given.get("command"))
        folder = _text(given.get("workdir") or given.get("working_directory"))
        return "Bash", {"command": _command(command)}, folder
    if name == "apply_patch":
        return name, {"command": given.get("input") if isinstance(given, dict) else given}, ""
    space = _text(item.get("namespace"))
    return (f"{space}__{name.lstrip('_')}" if space.startswith("mcp__") else f"{space}{name}"), given, ""


def _command(value: Any) -> Any:
    """Return the line of a shell, without the shell that the client starts for it."""
    if isinstance(value, list) and all(isinstance(word, str) for word in value):
        wrapped = len(value) == 3 and value[1] in ("-c", "-lc") and value[0].rpartition("/")[2] in ("bash", "sh", "zsh")
        return value[2] if wrapped else shlex.join(value)
    return value


def _output(number: int, session: _Rollout, identity: str, output: Any) -> Iterator[Recorded]:
    name, _, _ = session.calls.get(identity, ("", {}, ""))
    old = _parsed(output, None) if isinstance(output, str) and output.startswith("{") else output
    code = session.codes.pop(identity, None)
    if isinstance(old, dict) and isinstance(old.get("metadata"), dict):
        exit_code = old["metadata"].get("exit_code")
        code, output = (exit_code if type(exit_code) is int else code), old.get("output")
    text = result_text(output)
    result = _ran(text, code) if name == "Bash" else None
    session.asked_last = ""
    yield from session.ended(number, identity, {"tool_response": text}, result=result)


def _ran(text: str, code: int | None) -> Object:
    """The client writes the status above the output; what the command printed stands below `Output:`."""
    head = text.partition("\nOutput:\n")[0].split("\n")
    codes = [line.removeprefix(_CODE) for line in head if line.startswith(_CODE)]
    if code is None and len(codes) == 1 and codes[0].isascii() and codes[0].isdigit():
        code = int(codes[0])
    if code is not None and code >= 0:
        return ended(text, str(code))
    running = any(line.startswith(_RUNNING) for line in head)
    return {"text": text, "status": "running" if running else "unknown"}


def _parsed(text: str, otherwise: Any) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return otherwise


def _folder(payload: Object) -> str:
    return _text(payload.get("cwd"))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


TRANSCRIPT = Transcript("Codex", _knows, _events, (".codex/sessions/**/*.jsonl", ".codex/archived_sessions/*.jsonl"))

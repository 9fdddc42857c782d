"""GitHub Copilot CLI's `events.jsonl`: everything that the client did, a line each, with exit statuses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from policy_engine.adapters.base import result_text
from policy_engine.adapters.copilot import ADAPTER
from policy_engine.model.errors import EventError
from policy_engine.protocol.payload import ended
from policy_engine.transcripts.base import Conversation, Line, Object, Recorded, Transcript, damaged, time_of, unknown

_FAMILIES = frozenset(
    (
        "abort", "assistant", "command", "elicitation", "exit_plan_mode", "external_tool", "hook", "mcp",
        "pending_messages", "permission", "sampling", "session", "skill", "subagent", "system", "tool", "user",
        "user_input",
    )
)  # fmt: skip
_REFUSED = frozenset(("denied", "rejected", "permission_denied", "user_rejected"))


def _knows(value: Object) -> bool:
    kind = value.get("type")
    return isinstance(kind, str) and kind.partition(".")[0] in _FAMILIES and isinstance(value.get("data"), dict)


def _events(lines: Iterable[Line], _path: str) -> Iterator[Recorded]:
    session: Conversation | None = None
    number = 0
    for number, value in lines:
        if isinstance(value, EventError):
            yield damaged(number, value)
            continue
        if not _knows(value):
            yield unknown(number, value.get("type"))
            continue
        data, kind = value["data"], value["type"]
        if session is None:
            session = Conversation(ADAPTER, str(data.get("sessionId") or "unknown"), _folder(data))
            session.time = time_of(value)
            yield from session.begin(number)
        session.time = time_of(value) or session.time
        yield from _line(number, session, kind, data)
    if session is not None:
        yield from session.complete(number)


def _folder(data: Object) -> str:
    about = data.get("context")
    folder = about.get("cwd") if isinstance(about, dict) else None
    return folder if isinstance(folder, str) else ""


def _line(number: int, session: Conversation, kind: str, data: Object) -> Iterator[Recorded]:
    session.agent = str(data.get("parentToolCallId") or "")
    if kind == "user.message":
        if data.get("source") in (None, "", "user"):
            yield from session.prompt(number, str(data.get("content") or ""))
    elif kind == "assistant.message":
        if not session.agent:
            session.answer = str(data.get("content") or "") or session.answer
    elif kind == "tool.execution_start":
        yield from session.call(number, str(data.get("toolCallId")), str(data.get("toolName")), data.get("arguments"))
    elif kind == "tool.execution_complete":
        yield from _ended(number, session, data)
    elif kind == "session.resume":
        session.cwd = _folder(data) or session.cwd
        yield from session.begin(number, "resume")
    elif kind == "session.compaction_complete":
        yield from session.event(number, "PreCompact", {"trigger": "auto"})
    elif kind == "session.shutdown":
        yield from session.complete(number)
        yield from session.event(number, "SessionEnd", {"reason": str(data.get("shutdownType") or "other")})
    elif kind == "abort":
        session.answer = ""
    session.agent = ""


def _ended(number: int, session: Conversation, data: Object) -> Iterator[Recorded]:
    given, error, ran = data.get("result"), data.get("error"), data.get("shellExecution")
    text = result_text(given.get("content") if isinstance(given, dict) else given)
    refused = isinstance(error, dict) and error.get("code") in _REFUSED
    text = text or (result_text(error.get("message")) if isinstance(error, dict) else "")
    state = "denied" if refused else "success" if data.get("success") is True else "failure"
    code: Any = ran.get("exitCode") if isinstance(ran, dict) else None
    result = ended(text, str(code)) if type(code) is int and code >= 0 and not refused else None
    payload = {"tool_result": {"result_type": state, "text_result_for_llm": text}}
    yield from session.ended(number, str(data.get("toolCallId")), payload, result=result)


TRANSCRIPT = Transcript(
    "Copilot CLI", _knows, _events, (".copilot/session-state/*/events.jsonl", ".copilot/session-state/*.jsonl")
)

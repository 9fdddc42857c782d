"""Qwen Code's chats, `<session>.jsonl`: messages of Gemini's form under a head like Claude Code's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from policy_engine.adapters.base import result_text
from policy_engine.adapters.qwen import ADAPTER
from policy_engine.model.errors import EventError
from policy_engine.protocol.payload import ended
from policy_engine.transcripts.base import Conversation, Line, Object, Recorded, Transcript, damaged, time_of, unknown

_KINDS = frozenset(("user", "assistant", "tool_result", "system"))


def _knows(value: Object) -> bool:
    message = value.get("message")
    parts = isinstance(message, dict) and isinstance(message.get("parts"), list)
    return "sessionId" in value and value.get("type") in _KINDS and (parts or "systemPayload" in value)


def _events(lines: Iterable[Line], _path: str) -> Iterator[Recorded]:
    session: Conversation | None = None
    number = 0
    for number, value in lines:
        if isinstance(value, EventError):
            yield damaged(number, value)
            continue
        if session is None and isinstance(value.get("sessionId"), str):
            session = Conversation(ADAPTER, value["sessionId"], str(value.get("cwd") or ""))
            session.time = time_of(value)
            yield from session.begin(number)
        if session is not None:
            session.time = time_of(value) or session.time
            yield from _line(number, session, value)
    if session is not None:
        yield from session.complete(number)


def _line(number: int, session: Conversation, value: Object) -> Iterator[Recorded]:
    message, kind = value.get("message"), value.get("type")
    given = message.get("parts") if isinstance(message, dict) else None
    parts = [each for each in given if isinstance(each, dict)] if isinstance(given, list) else []
    text = "\n".join(part["text"] for part in parts if isinstance(part.get("text"), str) and not part.get("thought"))
    if kind == "user":
        if value.get("provenance", "real_user") == "real_user" and text:
            yield from session.prompt(number, text)
    elif kind == "assistant":
        session.answer = text or session.answer
        for part in parts:
            called = part.get("functionCall")
            if isinstance(called, dict):
                yield from session.call(number, str(called.get("id")), str(called.get("name")), called.get("args"))
    elif kind == "tool_result":
        for part in parts:
            if isinstance(part.get("functionResponse"), dict):
                yield from _ended(number, session, part["functionResponse"], value.get("toolCallResult"))
    elif kind != "system":
        yield unknown(number, kind)
    elif value.get("subtype") == "chat_compression":
        yield from session.event(number, "PostCompact", {"trigger": "auto"})


def _ended(number: int, session: Conversation, answer: Object, value: Any) -> Iterator[Recorded]:
    facts = value if isinstance(value, dict) else {}
    response = answer.get("response")
    fields = response if isinstance(response, dict) else {}
    text = result_text(fields.get("output", fields.get("error")))
    shown = facts.get("resultDisplay")
    code = shown.get("exitCode") if isinstance(shown, dict) else None
    result: Object | None = ended(text, str(code)) if type(code) is int and code >= 0 else None
    if facts.get("status") == "cancelled":
        result = {"ok": False, "text": text, "status": "blocked"}
    failed = facts.get("status") == "error" or "error" in fields
    native = "PostToolUseFailure" if failed else "PostToolUse"
    more: Object = {"error": text} if failed else {"tool_response": text}
    yield from session.ended(number, str(answer.get("id")), more, native, result)


TRANSCRIPT = Transcript("Qwen Code", _knows, _events, (".qwen/projects/*/chats/*.jsonl", ".qwen/tmp/*/chats/*.jsonl"))

"""Factory droid's sessions, `<session>.jsonl`: a head, then messages of Anthropic's form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from policy_engine.adapters.base import result_text
from policy_engine.adapters.droid import ADAPTER
from policy_engine.model.errors import EventError
from policy_engine.protocol.payload import ended
from policy_engine.transcripts.base import Conversation, Line, Object, Recorded, Transcript, damaged, time_of, unknown

_SILENT = frozenset(
    ("agent_turn_outcome", "todo_state", "compaction_state", "session_end", "session_settings", "session_title")
)
_OWN_WORDS = "<system-reminder>"
_CODE = "[Process exited with code "


def _knows(value: Object) -> bool:
    return value.get("type") == "session_start" and isinstance(value.get("id"), str) and "cwd" in value


def _events(lines: Iterable[Line], _path: str) -> Iterator[Recorded]:
    session: Conversation | None = None
    number = 0
    for number, value in lines:
        if isinstance(value, EventError):
            yield damaged(number, value)
            continue
        kind, message = value.get("type"), value.get("message")
        if session is None or kind == "session_start":
            session = session or Conversation(ADAPTER, str(value.get("id")), str(value.get("cwd") or ""))
            yield from session.begin(number)
        elif kind == "message" and isinstance(message, dict):
            session.time = time_of(value) or session.time
            yield from _message(number, session, message)
        elif kind not in _SILENT:
            yield unknown(number, kind)
    if session is not None:
        yield from session.complete(number)


def _message(number: int, session: Conversation, message: Object) -> Iterator[Recorded]:
    content = message.get("content")
    blocks = [each for each in content if isinstance(each, dict)] if isinstance(content, list) else []
    texts = [content] if isinstance(content, str) else [str(each["text"]) for each in blocks if "text" in each]
    text = "\n".join(each for each in texts if not each.startswith(_OWN_WORDS))
    if message.get("role") == "assistant":
        session.answer = text or session.answer
    elif text:
        yield from session.prompt(number, text)
    for each in blocks:
        if each.get("type") == "tool_use":
            yield from session.call(number, str(each.get("id")), str(each.get("name")), each.get("input"))
        elif each.get("type") == "tool_result":
            yield from _ended(number, session, each)


def _ended(number: int, session: Conversation, block: Object) -> Iterator[Recorded]:
    text = result_text(block.get("content"))
    code = text.rstrip().rpartition(_CODE)[2].removesuffix("]")
    result: Object | None = None
    if block.get("is_error"):
        known = text.rstrip().endswith("]") and code.isascii() and code.isdigit() and code != "0"
        result = ended(text, code) if known else {"ok": False, "text": text, "status": "failed"}
    yield from session.ended(number, str(block.get("tool_use_id")), {"tool_response": text}, result=result)


TRANSCRIPT = Transcript("Factory droid", _knows, _events, (".factory/sessions/**/*.jsonl",))

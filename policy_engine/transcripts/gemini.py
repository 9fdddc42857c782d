"""Gemini CLI's chats: one JSON document, or since 0.50 lines of a head, messages and changes.

A message that comes again replaces the one before: its calls are then complete. The folder is not in the record; it is
the one of the client's first words, or the ancestor of a path in the record whose digest is the chat's `projectHash`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import Any

from policy_engine.adapters.base import result_text
from policy_engine.adapters.gemini import ADAPTER
from policy_engine.model.errors import EventError
from policy_engine.transcripts.base import Conversation, Line, Object, Recorded, Transcript, damaged, unknown

_SILENT = frozenset(("info", "error", "warning"))
_OWN_WORDS = ("<session_context>", "This is the Gemini CLI.", "<state_snapshot>")
_FOLDERS = re.compile(r"Workspace Directories:\*\*\s*\n\s*- (/[^\n]+)|working in the directory: (/[^\n]+)")
_ENDED = frozenset(("success", "error", "cancelled"))
_ABSENT = re.compile(r"\n(?:Error|Signal|Background PIDs|Process Group PGID): (?:\(none\)|0)(?=\n|$)")


class _Chat(Conversation):
    """A chat, with the calls that were told already and the digest of its folder."""

    __slots__ = ("digest", "done")

    def __init__(self, name: str, folder: str, digest: str) -> None:
        super().__init__(
            ADAPTER, name, folder, asked="BeforeAgent", before="BeforeTool", after="AfterTool", stop="AfterAgent"
        )
        self.digest = digest
        self.done: set[str] = set()

    def place(self, value: Any) -> None:
        """Take the ancestor of a path whose digest is the folder's."""
        if self.folder or not self.digest:
            return
        for text in value.values() if isinstance(value, dict) else ():
            if isinstance(text, str) and text.startswith("/") and "\n" not in text:
                for folder in (text, *map(str, PurePosixPath(text).parents)):
                    if hashlib.sha256(folder.encode("utf-8", "surrogatepass")).hexdigest() == self.digest:
                        self.folder = self.cwd = folder
                        return


def _knows(value: Object) -> bool:
    return "projectHash" in value and "sessionId" in value


def _events(lines: Iterable[Line], path: str) -> Iterator[Recorded]:
    chat: _Chat | None = None
    number = 0
    for number, value in lines:
        if isinstance(value, EventError):
            yield damaged(number, value)
            continue
        if chat is None or _knows(value):
            if chat is None:
                chat = _Chat(str(value.get("sessionId")), _beside(path), str(value.get("projectHash") or ""))
        for index, message in enumerate(_messages(value), 1):
            yield from _message(index if "messages" in value else number, chat, message)
    if chat is not None:
        yield from chat.complete(number)


def _messages(value: Object) -> list[Object]:
    changed = value.get("$set")
    given = (changed if isinstance(changed, dict) else value).get("messages")
    if isinstance(given, list):
        return [each for each in given if isinstance(each, dict)]
    return [value] if "type" in value else []


def _beside(path: str) -> str:
    """Return the folder that the client keeps beside its chats, "" if it is not there."""
    try:
        return (Path(path).parent.parent / ".project_root").read_text("utf-8").strip() if path else ""
    except (OSError, ValueError):
        return ""


def _message(number: int, chat: _Chat, message: Object) -> Iterator[Recorded]:
    kind = message.get("type")
    text = _words(message.get("content"))
    calls = [each for each in message.get("toolCalls") or () if isinstance(each, dict)]
    for each in calls:
        chat.place(each.get("args"))
    if not chat.folder and (match := _FOLDERS.search(text)):
        chat.folder = chat.cwd = (match[1] or match[2]).strip().rstrip("/")
    chat.time = str(message["timestamp"]) if isinstance(message.get("timestamp"), str) else chat.time
    if not chat.done:
        chat.done.add("")
        yield from chat.begin(number)
    if kind == "user":
        if text and not text.startswith(_OWN_WORDS):
            yield from chat.prompt(number, text)
    elif kind == "gemini":
        chat.answer = text or chat.answer
        for each in calls:
            yield from _call(number, chat, each)
    elif kind not in _SILENT:
        yield unknown(number, kind)


def _words(content: Any) -> str:
    """Return the text of a message, without the results that the client sends back."""
    if not isinstance(content, list):
        return content if isinstance(content, str) else ""
    return "\n".join(str(part["text"]) for part in content if isinstance(part, dict) and "text" in part)


def _call(number: int, chat: _Chat, each: Object) -> Iterator[Recorded]:
    identity, status = str(each.get("id")), each.get("status")
    if identity not in chat.done:
        chat.done.add(identity)
        yield from chat.call(number, identity, str(each.get("name") or ""), each.get("args"))
    if status not in _ENDED or identity not in chat.calls:
        return
    given = each.get("result")
    parts = (
        [part.get("functionResponse") for part in given if isinstance(part, dict)] if isinstance(given, list) else []
    )
    responses = [
        part["response"] for part in parts if isinstance(part, dict) and isinstance(part.get("response"), dict)
    ]
    text = "\n".join(result_text(one.get("output", one.get("error"))) for one in responses)
    if status == "cancelled":
        result: Object | None = {"ok": False, "text": text, "status": "blocked"}
    else:
        result = None
    answer: Object = {"llmContent": _ABSENT.sub("", text)}
    if status == "error":
        answer["error"] = {"message": text}
    yield from chat.ended(number, identity, {"tool_response": answer}, result=result)


TRANSCRIPT = Transcript("Gemini CLI", _knows, _events, (".gemini/tmp/*/chats/*.json", ".gemini/tmp/*/chats/*.jsonl"))
